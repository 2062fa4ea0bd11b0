// Package files reads and writes the files of the commands: the pages that a user names as input, and the files and folders of the
// result. No result overwrites an input, files are written atomically, and a result is never read as an input.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Error is an error with the path of the file that it concerns.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// ArgumentError is an error in the arguments of a command, whatever the content of the files.
type ArgumentError struct{ text string }

func (e *ArgumentError) Error() string { return e.text }

func argument(format string, args ...any) error { return &ArgumentError{fmt.Sprintf(format, args...)} }

// In wraps err in an [Error] with this path. It returns nil for nil.
func In(path string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Path: path, Err: err}
}

// Plain converts an error of the file system to an [Error], without the name of the system call. It returns other errors unchanged.
func Plain(err error) error {
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) {
		return In(ofPath.Path, ofPath.Err)
	}
	return err
}

// withoutPath returns the cause of an error of the file system, without its path. It returns other errors unchanged.
func withoutPath(err error) error {
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) {
		return ofPath.Err
	}
	return err
}

// CheckFolder returns an error if dir cannot be created or written. It does not create dir, so that a command that fails leaves nothing
// behind.
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

// writable creates and removes a file in dir, so that a command fails before it does work whose result cannot be written.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".plait-")
	if err != nil {
		return In(dir, fmt.Errorf("cannot be written into: %w", withoutPath(err)))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Write writes the output of write to path atomically: until it is complete, an earlier file stays. It creates the folder if necessary.
func Write(path string, write func(io.Writer) error) error {
	return replace(path, func(f *os.File) error { return write(f) })
}

// WriteNew writes like [Write], but leaves a file that exists as it is.
func WriteNew(path string, write func(io.Writer) error) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return Plain(err)
	}
	return Write(path, write)
}

// WriteBytes writes b to path atomically, like [Write].
func WriteBytes(path string, b []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// replace is Write for a function that also reads the file that it writes.
func replace(path string, write func(*os.File) error) error {
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

// inTempFile calls work with a temporary file beside path, and then removes the file, unless work has renamed it. It reports an error of
// that file as one of path, because the user knows only path.
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

// Read returns the content of a file. Of a file with more than most bytes it returns the first most+1, so that the caller can see that
// there are more.
func Read(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Plain(err)
	}
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	return b, Plain(errors.Join(err, f.Close()))
}

// Parse reads a file like [Read] and parses it. It adds the path to an error of parse.
func Parse[T any](path string, most int64, parse func([]byte) (T, error)) (content []byte, parsed T, err error) {
	if content, err = Read(path, most); err != nil {
		return nil, parsed, err
	}
	parsed, err = parse(content)
	return content, parsed, In(path, err)
}

// TextOrFile returns the value of a flag that is a text, or the trimmed content of a file if it begins with @. It fails like [Read].
func TextOrFile(value string, most int64) (string, error) {
	path, isFile := strings.CutPrefix(value, "@")
	if !isFile {
		return value, nil
	}
	content, err := Read(path, most)
	return strings.TrimSpace(string(content)), err
}
