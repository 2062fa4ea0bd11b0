package main

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/archive"
	"plait/internal/pipeline"
)

// inputPage is a page to read, or what was named and is none: opening that says why.
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
// so that it fails by its name and the others are read.
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
		return pipeline.NewError(pipeline.CodeInvalidInput, "the folder holds no pages")
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
	var known *pipeline.Error
	if errors.As(err, &known) {
		return err
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return pipeline.Wrap(pipeline.CodeInvalidInput, err, "cannot be read: "+err.Error())
}

// overlayEncoder writes overlays, which are looked at and thrown away.
var overlayEncoder = png.Encoder{CompressionLevel: png.BestSpeed}

// overlayPaths are the files of the overlays in dir, one a page, named as their pages. Where two pages would have one
// name, the later has a number. It refuses names that would write over a page.
func overlayPaths(dir string, pages []inputPage) ([]string, error) {
	var sources []os.FileInfo
	for _, p := range pages {
		if info, err := os.Stat(p.path); p.path != "" && err == nil {
			sources = append(sources, info)
		}
	}
	paths, taken := make([]string, len(pages)), map[string]bool{}
	for i, p := range pages {
		stem := strings.TrimSuffix(p.name, path.Ext(p.name))
		name := stem
		// File systems that ignore case are common.
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", stem, n)
		}
		taken[strings.ToLower(name)] = true
		paths[i] = filepath.Join(dir, filepath.FromSlash(name)+".png")
		if info, err := os.Stat(paths[i]); err == nil {
			for _, s := range sources {
				if os.SameFile(info, s) {
					return nil, fmt.Errorf("%s is a page to read; choose another folder for --overlay", paths[i])
				}
			}
		}
	}
	return paths, makeFolder(dir)
}

func makeParent(file string) error { return makeFolder(filepath.Dir(file)) }

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return plainPathError(err)
	}
	return nil
}
