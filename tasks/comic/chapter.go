package comictasks

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"plait/internal/archive"
	"plait/internal/core"
	"plait/tasks"
)

// file is one file of a chapter, from an archive or uploaded directly.
type file struct {
	// Ref of Content is set by the inspection.
	tasks.Content
	page bool
	// damage of a page is set once the page has been read.
	damage error
}

// chapter contains the files of a request.
type chapter struct {
	// files are in archive order or, when the pages were uploaded as images, in page order.
	files []*file
	// pages are the files that are pages, in natural order.
	pages []*file
	// packed means that the files came in an archive.
	packed bool
}

// openChapter reads the directory of an archive, or uses the uploaded images. It fails with [core.CodeInvalidInput],
// [core.CodeInvalidArchive] or [core.CodeTooLarge].
func (s *Service) openChapter(uploads []tasks.Upload) (*chapter, error) {
	if len(uploads) == 0 {
		return nil, core.NewError(core.CodeInvalidInput, "there is no file")
	}
	var c *chapter
	var err error
	if len(uploads) == 1 && isArchive(uploads[0]) {
		c, err = s.openArchive(uploads[0])
	} else {
		c, err = imagesOf(uploads)
	}
	if err != nil {
		return nil, err
	}
	for _, f := range c.files {
		if f.page {
			c.pages = append(c.pages, f)
		}
	}
	archive.SortNaturally(c.pages, func(f *file) string { return f.Name })
	if !c.packed {
		c.files = c.pages
	}
	if len(c.pages) > s.deps.Limits.MaxPages {
		return nil, core.Errorf(core.CodeTooLarge, "the chapter has %d pages; %d are allowed", len(c.pages), s.deps.Limits.MaxPages)
	}
	return c, nil
}

// isArchive decides by name or by content: a damaged archive must be refused as an archive, and an archive may have any other name.
func isArchive(u tasks.Upload) bool {
	if archive.IsPage(u.Name) {
		return false
	}
	head := make([]byte, 4)
	n, err := u.File.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return hasArchiveName(u.Name) || bytes.HasPrefix(head[:n], []byte("PK\x03\x04")) || bytes.HasPrefix(head[:n], []byte("PK\x05\x06"))
}

// hasArchiveName reports whether a file has the extension of an archive.
func hasArchiveName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".cbz", ".zip":
		return true
	}
	return false
}

func (s *Service) openArchive(u tasks.Upload) (*chapter, error) {
	a, err := archive.Open(u.File, u.Size, s.deps.Limits.Archive)
	if err != nil {
		return nil, err
	}
	c := &chapter{packed: true}
	for _, e := range a.Entries() {
		f := &file{Content: tasks.Content{Name: e.Name, Size: e.Size}, page: e.Page}
		f.Open = func() (io.ReadCloser, error) { return a.Open(e.Name) }
		if f.page {
			f.Open = func() (io.ReadCloser, error) { return openUpToDamage(a, f) }
		}
		c.files = append(c.files, f)
	}
	return c, nil
}

// openUpToDamage opens a page of an archive. The reader ends where the page is damaged, and the file records the damage. The readable part
// is then the page, as it is in a comic reader, so that a damaged page does not block the others.
func openUpToDamage(a *archive.Archive, f *file) (io.ReadCloser, error) {
	r, err := a.Open(f.Name)
	if core.CodeOf(err) == core.CodeInvalidArchive {
		f.damage = err
		return io.NopCloser(bytes.NewReader(nil)), nil
	}
	if err != nil {
		return nil, err
	}
	return &upToDamage{entry: r, file: f}, nil
}

type upToDamage struct {
	entry io.ReadCloser
	file  *file
}

func (u *upToDamage) Read(b []byte) (int, error) {
	n, err := u.entry.Read(b)
	return n, u.end(err, io.EOF)
}

func (u *upToDamage) Close() error { return u.end(u.entry.Close(), nil) }

// end records damage and returns instead of it; it passes other errors on.
func (u *upToDamage) end(err, instead error) error {
	if core.CodeOf(err) != core.CodeInvalidArchive {
		return err
	}
	u.file.damage = err
	return instead
}

func imagesOf(uploads []tasks.Upload) (*chapter, error) {
	c := &chapter{}
	names := archive.NewNameSet() // names in the result, which is an archive
	for _, u := range uploads {
		if err := archive.CheckName(u.Name); err != nil {
			return nil, core.NewError(core.CodeInvalidInput, core.PublicMessage(err))
		}
		if len(uploads) > 1 && isArchive(u) {
			return nil, core.Errorf(core.CodeInvalidInput, "%q is an archive: send it alone", u.Name)
		}
		if err := names.AddFile(u.Name); err != nil {
			return nil, core.NewError(core.CodeInvalidInput, core.PublicMessage(err))
		}
		c.files = append(c.files, &file{page: true, Content: u.Content()})
	}
	return c, nil
}
