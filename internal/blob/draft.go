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
	"plait/internal/tempdir"
)

const (
	tempFolder  = "tmp"
	tempPattern = "put-*"
	// draftAge is the age at which an unfinished file counts as abandoned, on file systems without locks. No upload lasts as long.
	draftAge = 24 * time.Hour
)

// newDraft creates a temporary file for an unfinished blob. The file is locked until it is closed or its writer dies: see sweep, which
// removes files by their age where there are no locks.
func (l *local) newDraft() (*os.File, error) {
	return tempdir.Hold(func() (*os.File, error) {
		return os.CreateTemp(filepath.Join(l.root, tempFolder), tempPattern) // CreateTemp makes it 0600
	})
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
