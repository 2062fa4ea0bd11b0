// Package tempdir makes folders for files in work, and locks files and folders in work while their process lives. A process that is killed
// leaves them behind; the next one that sweeps removes them, and never one in use. On a file system without locks, folders of killed
// processes stay.
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

// tries bounds the attempts to make a file or a folder, because a sweep can remove a new one before it is locked.
const tries = 10

// Hold makes and opens a file or a folder, and locks it until it is closed or its process dies. It makes another one if a sweep has removed
// the first. On a file system without locks it only makes it.
func Hold(open func() (*os.File, error)) (*os.File, error) {
	for range tries {
		f, err := open()
		if err != nil {
			return nil, err
		}
		locked := syscall.Flock(int(f.Fd()), syscall.LOCK_EX) == nil
		if !locked || isNamed(f) {
			return f, nil
		}
		_ = f.Close() // nothing was written
	}
	return nil, errors.New("temporary files are swept before they can be locked")
}

// Make makes a folder in parent, or in the folder of the system if parent is empty. Its name begins with prefix. It fails with UNAVAILABLE.
func Make(parent, prefix string) (*Dir, error) {
	lock, err := Hold(func() (*os.File, error) {
		for {
			path, err := os.MkdirTemp(parent, prefix)
			if err != nil {
				return nil, err
			}
			if f, err := os.Open(path); !errors.Is(err, fs.ErrNotExist) { // else it was swept
				return f, err
			}
		}
	})
	if err != nil {
		return nil, core.Wrap(core.CodeUnavailable, err, "a temporary folder cannot be made")
	}
	return &Dir{lock.Name(), lock}, nil
}

// isNamed tells whether a file or a folder still exists under its name.
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
