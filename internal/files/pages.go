package files

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

// Page is a page to work on, or a path that could not be listed: then Open returns the reason.
type Page struct {
	// Name is the path relative to the folder that was listed, or inside the archive.
	Name string
	// Path is the path on disk; empty for a page in an archive.
	Path string
	Open func() (io.ReadCloser, error)
}

// Bytes returns the content of the page. Of a page longer than most bytes it returns the first most+1, so that the caller can see that
// the page is too large.
func (p Page) Bytes(most int64) ([]byte, error) {
	in, err := p.Open()
	if err != nil {
		return nil, unreadable(err)
	}
	defer in.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(in, most+1)); err != nil {
		return nil, unreadable(err)
	}
	return b.Bytes(), nil
}

func fileOf(name, path string) Page {
	return Page{Name: name, Path: path, Open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, Plain(err)
		}
		return f, nil
	}}
}

// Pages are the pages of images, folders and archives, in order. Call Close after the last use of a page.
type Pages struct {
	List     []Page
	archives []*os.File // open until Close
}

// List lists the pages of paths. A path that cannot be listed becomes a page that cannot be read, so that only this path fails, with
// its name.
func List(paths []string, limits archive.Limits) *Pages {
	in := &Pages{}
	for _, path := range paths {
		if err := in.add(path, limits); err != nil {
			err = unreadable(err)
			in.List = append(in.List, Page{Name: filepath.Base(path), Open: func() (io.ReadCloser, error) { return nil, err }})
		}
	}
	return in
}

func (in *Pages) add(path string, limits archive.Limits) error {
	kind, err := kindOf(path)
	switch {
	case err != nil:
		return err
	case kind == folderKind:
		found, err := imagesBelow(path)
		if err == nil && len(found) == 0 {
			err = core.NewError(core.CodeInvalidInput, "the folder has no pages")
		}
		in.List = append(in.List, found...)
		return err
	case kind == archiveKind:
		return in.addArchive(path, limits)
	default:
		in.List = append(in.List, fileOf(filepath.Base(path), path))
		return nil
	}
}

func (in *Pages) addArchive(path string, limits archive.Limits) error {
	f, err := os.Open(path)
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
	archive.SortNaturally(entries, func(f archive.Entry) string { return f.Name })
	for _, e := range entries {
		in.List = append(in.List, Page{Name: e.Name, Open: func() (io.ReadCloser, error) { return a.Open(e.Name) }})
	}
	return nil
}

// Close closes the archives.
func (in *Pages) Close() {
	for _, f := range in.archives {
		_ = f.Close()
	}
}

// imagesBelow returns the images below root in natural order, with names relative to root. It does not follow links, which can form a
// loop, and skips folders with a result of Plait, because a translation is not an original.
func imagesBelow(root string) ([]Page, error) {
	var pages []Page
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return Plain(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		switch name = filepath.ToSlash(name); {
		case d.IsDir() && name != "." && isResult(path):
			return fs.SkipDir
		case d.Type().IsRegular() && archive.IsPage(name):
			pages = append(pages, fileOf(name, path))
		}
		return nil
	})
	archive.SortNaturally(pages, func(f Page) string { return f.Name })
	return pages, err
}

// unreadable converts an error of the file system to CodeInvalidInput, with a message without the path: the caller prints the path.
func unreadable(err error) error {
	var known *core.Error
	if errors.As(err, &known) {
		return err
	}
	var placed *Error
	if errors.As(err, &placed) {
		err = placed.Err
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return core.Wrap(core.CodeInvalidInput, err, "cannot be read: "+err.Error())
}
