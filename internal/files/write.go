// Package files is what a person names at a terminal: the pages that go in, and the files and folders that come out. None is
// written over an input, none appears in part, and a result is never taken for an input.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Error is an error of a file that a person named.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ArgumentError is a combination of arguments that no command can do, whatever the files hold.
type ArgumentError struct{ text string }

func (e *ArgumentError) Error() string { return e.text }

func argument(format string, args ...any) error { return &ArgumentError{fmt.Sprintf(format, args...)} }

// In says which file an error is of; nil stays nil.
func In(path string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Path: path, Err: err}
}

// Plain is a fault of the file system as an [Error], without the name of the system call.
func Plain(err error) error {
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) {
		return In(ofPath.Path, ofPath.Err)
	}
	return err
}

// bare is the reason of a fault of the file system.
func bare(err error) error {
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) {
		return ofPath.Err
	}
	return err
}

// CheckFolder finds what keeps a folder from being made, and makes none: a command that fails leaves nothing behind.
func CheckFolder(dir string) error {
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return writable(dir)
		case err == nil:
			return fmt.Errorf("%s is a file, not a folder to write into", dir)
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return Plain(err)
		}
		dir = filepath.Dir(dir)
	}
}

// writable tries a folder, so that a book is not worked through for pages that cannot be kept.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".plait-")
	if err != nil {
		return In(dir, fmt.Errorf("cannot be written into: %w", bare(err)))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Write makes path of what write streams. It appears whole or not at all, and what was there before stays until
// then. Its folder is made.
func Write(path string, write func(io.Writer) error) error {
	return place(path, func(f *os.File) error { return write(f) })
}

// WriteNew writes like [Write], but leaves a file that exists as it is.
func WriteNew(path string, write func(io.Writer) error) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return Plain(err)
	}
	return Write(path, write)
}

// WriteBytes writes b as [Write] does.
func WriteBytes(path string, b []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// place is Write for what reads the file again.
func place(path string, write func(*os.File) error) error {
	return inTempFile(path, func(tmp *os.File) error {
		if err := write(tmp); err != nil {
			return err
		}
		if err := errors.Join(tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
			return Plain(err)
		}
		return os.Rename(tmp.Name(), path)
	})
}

// inTempFile calls work with a file beside path that goes with its return, unless it was renamed. A fault of that file is
// told as one of path, which is the name that a person knows.
func inTempFile(path string, work func(*os.File) error) error {
	dir := filepath.Dir(path)
	if err := makeFolder(dir); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".plait-*")
	if err != nil {
		return Plain(err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	err = work(tmp)
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) && ofPath.Path == tmp.Name() {
		return In(path, ofPath.Err)
	}
	return err
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return Plain(err)
	}
	return nil
}

// Read reads a file. Of one with more than most bytes it reads a byte more than that, which tells that there are more.
func Read(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Plain(err)
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	return b, Plain(errors.Join(err, f.Close()))
}

// Parse reads a file as [Read] does, and parses it. What parse says is wrong with it is told with its path.
func Parse[T any](path string, most int64, parse func([]byte) (T, error)) (content []byte, parsed T, err error) {
	if content, err = Read(path, most); err != nil {
		return nil, parsed, err
	}
	parsed, err = parse(content)
	return content, parsed, In(path, err)
}
