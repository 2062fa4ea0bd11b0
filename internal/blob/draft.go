package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	tempFolder  = "tmp"
	tempPattern = "put-*"
	// draftAge is after how long an unfinished file is taken for one whose writer died where files cannot be locked. No upload
	// lasts as long.
	draftAge = 24 * time.Hour
	// draftTries bounds how often a sweep may be faster than the lock of a new file.
	draftTries = 10
)

// newDraft is a file for an unfinished blob. It is locked until it is closed, also by the death of its writer: see sweep.
func (l *local) newDraft() (*os.File, error) {
	for range draftTries {
		f, err := os.CreateTemp(filepath.Join(l.root, tempFolder), tempPattern) // CreateTemp makes it 0600
		if err != nil {
			return nil, err
		}
		locked := syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == nil
		if !locked || isNamed(f) { // without locks, sweeps go by the age of files
			return f, nil
		}
		_ = f.Close() // a sweep has taken it for abandoned
	}
	return nil, errors.New("unfinished files are swept before they can be locked")
}

// isNamed reports whether the file has its name still.
func isNamed(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// sweep removes the unfinished files of writers that died.
func (l *local) sweep(now time.Time) error {
	files, err := os.ReadDir(filepath.Join(l.root, tempFolder))
	if err != nil {
		return unavailable(err, "the folder of the blob store cannot be read")
	}
	for _, f := range files {
		err := removeAbandoned(filepath.Join(l.root, tempFolder, f.Name()), now)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unavailable(err, "the folder of the blob store cannot be cleaned")
		}
	}
	return nil
}

// removeAbandoned removes an unfinished file, with its lock held so that nobody begins to write it, unless its writer lives.
func removeAbandoned(path string, now time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // network file systems lock only what may be written
	if err != nil {
		return err
	}
	defer f.Close()
	switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case err == nil:
		return os.Remove(path)
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("look at an unfinished file: %w", err)
	}
	if now.Sub(info.ModTime()) < draftAge {
		return nil
	}
	return os.Remove(path)
}
