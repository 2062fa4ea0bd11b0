// Package tempdir makes folders for files in work. A process that is killed leaves its folders behind; the next one that sweeps removes
// them. A folder is locked while its process lives, so that a sweep never removes one in use. On a file system without locks, folders of
// killed processes stay.
package tempdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"plait/internal/core"
)

// Dir is a folder in use.
type Dir struct {
	// Path is the folder.
	Path string
	lock *os.File
}

// tries bounds the attempts to make a folder, because a sweep can remove a new one before it is locked.
const tries = 10

// Make makes a folder in parent, or in the folder of the system if parent is empty. Its name begins with prefix. It fails with UNAVAILABLE.
func Make(parent, prefix string) (*Dir, error) {
	for range tries {
		path, err := os.MkdirTemp(parent, prefix)
		if err != nil {
			return nil, core.Wrap(core.CodeUnavailable, err, "a temporary folder cannot be made")
		}
		lock, err := os.Open(path)
		if err != nil {
			continue // swept
		}
		locked := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX) == nil
		if !locked || isNamed(lock) { // without locks, no sweep removes it
			return &Dir{path, lock}, nil
		}
		_ = lock.Close() // nothing was written
	}
	return nil, core.NewError(core.CodeUnavailable, "temporary folders are swept before they can be locked")
}

// isNamed tells whether a folder still exists under its name.
func isNamed(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Name())
	return err == nil && os.SameFile(open, named)
}

// Remove removes the folder with its files.
func (d *Dir) Remove() error { return errors.Join(os.RemoveAll(d.Path), d.lock.Close()) }

// Sweep removes the folders that processes made with that parent and prefix and that no process uses.
func Sweep(parent, prefix string) error {
	if parent == "" {
		parent = os.TempDir()
	}
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return core.Wrap(core.CodeUnavailable, err, "the folder of temporary files cannot be read")
	}
	var failed []error
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			failed = append(failed, removeUnused(filepath.Join(parent, e.Name())))
		}
	}
	return errors.Join(failed...)
}

// removeUnused removes a folder unless its process lives, or it belongs to another user.
func removeUnused(path string) error {
	lock, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return core.Wrap(core.CodeUnavailable, err, "a temporary folder cannot be opened")
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return nil
	}
	if err := os.RemoveAll(path); err != nil && !errors.Is(err, fs.ErrPermission) {
		return core.Wrap(core.CodeUnavailable, err, "an abandoned temporary folder cannot be removed")
	}
	return nil
}
