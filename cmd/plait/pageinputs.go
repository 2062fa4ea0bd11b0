package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plait/internal/archive"
	"plait/internal/core"
)

// inputPage is a page to work on, or what was named and is none: opening that says why.
type inputPage struct {
	// name is the file name: below its folder, or in its archive.
	name string
	// path is where it lies on disk; empty in an archive.
	path string
	open func() (io.ReadCloser, error)
}

// bytes reads the page, and one byte more than most of a longer one, which is what shows that it is too large.
func (p inputPage) bytes(most int64) ([]byte, error) {
	in, err := p.open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(in, most+1)); err != nil {
		return nil, unreadable(err)
	}
	return b.Bytes(), nil
}

// inputs are the pages that a person named, in order, and the archives that they lie in.
type inputs struct {
	pages    []inputPage
	archives []*os.File
}

// openInputs lists the pages of images, folders and archives. What cannot be listed becomes a page that cannot be read,
// so that it fails by its name and the others do not.
func openInputs(paths []string, limits archive.Limits) *inputs {
	in := &inputs{}
	for _, p := range paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			err = in.addFolder(p)
		case isArchive(p):
			err = in.addArchive(p, limits)
		case !info.Mode().IsRegular():
			err = core.NewError(core.CodeInvalidInput, errIrregular.Error())
		default:
			in.addFile(filepath.Base(p), p)
		}
		if err != nil {
			err = unreadable(err)
			in.pages = append(in.pages, inputPage{name: filepath.Base(p), open: func() (io.ReadCloser, error) { return nil, err }})
		}
	}
	return in
}

func (in *inputs) addFile(name, file string) {
	in.pages = append(in.pages, inputPage{name: name, path: file, open: func() (io.ReadCloser, error) {
		f, err := os.Open(file)
		if err != nil {
			return nil, unreadable(err)
		}
		return f, nil
	}})
}

func (in *inputs) addFolder(root string) error {
	c := &chapter{}
	if err := c.addFolder(root); err != nil {
		return err
	}
	if len(c.files) == 0 {
		return core.NewError(core.CodeInvalidInput, "the folder holds no pages")
	}
	for _, f := range c.files {
		in.addFile(f.Name, filepath.Join(root, filepath.FromSlash(f.Name)))
	}
	return nil
}

func (in *inputs) addArchive(file string, limits archive.Limits) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	in.archives = append(in.archives, f)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	a, err := archive.Open(f, info.Size(), limits)
	if err != nil {
		return err
	}
	entries := slices.DeleteFunc(a.Entries(), func(e archive.Entry) bool { return !e.Page })
	slices.SortFunc(entries, func(x, y archive.Entry) int { return archive.NaturalCompare(x.Name, y.Name) })
	for _, e := range entries {
		in.pages = append(in.pages, inputPage{name: e.Name, open: func() (io.ReadCloser, error) { return a.Open(e.Name) }})
	}
	return nil
}

// Close closes the archives.
func (in *inputs) Close() {
	for _, f := range in.archives {
		_ = f.Close()
	}
}

// unreadable gives a fault of the file system its code and a sentence without the path, which is said beside it.
func unreadable(err error) error {
	var known *core.Error
	if errors.As(err, &known) {
		return err
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return core.Wrap(core.CodeInvalidInput, err, "cannot be read: "+err.Error())
}
