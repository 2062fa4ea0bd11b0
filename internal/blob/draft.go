package blob

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"plait/internal/core"
)

const (
	tempFolder  = "tmp"
	tempPattern = "put-*"
	// draftAge is the age at which an unfinished file counts as abandoned, on file systems without locks. No upload lasts as long.
	draftAge = 24 * time.Hour
	// draftTries bounds the attempts to create a file, because a sweep can remove a new file before it is locked.
	draftTries = 10
)

// newDraft creates a temporary file for an unfinished blob. The file is locked until it is closed or its writer dies: see sweep.
func (l *local) newDraft() (*os.File, error) {
	for range draftTries {
		f, err := os.CreateTemp(filepath.Join(l.root, tempFolder), tempPattern) // CreateTemp makes it 0600
		if err != nil {
			return nil, err
		}
		locked := syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == nil
		if !locked || isNamed(f) { // without locks, sweep removes files by their age
			return f, nil
		}
		_ = f.Close() // a sweep of another process has removed the file before it was locked
	}
	return nil, errors.New("unfinished files are swept before they can be locked")
}

// isNamed reports whether the file still exists under its name.
func isNamed(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// sweep removes the unfinished files of dead writers.
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

// removeAbandoned removes an unfinished file unless its writer is alive. It holds the file's lock meanwhile, so that no writer can begin
// to use the file.
func removeAbandoned(path string, now time.Time) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0) // network file systems lock only files that are open for writing
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
		return fmt.Errorf("read the age of an unfinished file: %w", err)
	}
	if now.Sub(info.ModTime()) < draftAge {
		return nil
	}
	return os.Remove(path)
}

// Unnamed makes a temporary file that disappears when it is closed, also when the process is killed. It fails with UNAVAILABLE.
func Unnamed() (*os.File, error) {
	file, err := os.CreateTemp("", "plait-*")
	if err != nil {
		return nil, core.Wrap(core.CodeUnavailable, err, "a temporary file cannot be made")
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, core.Wrap(core.CodeUnavailable, errors.Join(err, file.Close()), "a temporary file cannot be made")
	}
	return file, nil
}
