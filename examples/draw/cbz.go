package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// pack writes the pages and ComicInfo.xml at the top of fsys as a CBZ, in the
// order of their names, stored as they are and dated at the zip epoch, so that
// the same pages always give the same archive.
func pack(w io.Writer, fsys fs.FS) error {
	entries, err := fs.ReadDir(fsys, ".") // sorted by name
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	pages := 0
	for _, e := range entries {
		page := slices.Contains([]string{".png", ".jpg"}, path.Ext(e.Name()))
		if !page && e.Name() != "ComicInfo.xml" {
			continue
		}
		if page {
			pages++
		}
		b, err := fs.ReadFile(fsys, e.Name())
		if err != nil {
			return err
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: e.Name(), Method: zip.Store,
			Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	if pages == 0 {
		return fmt.Errorf("no pages to pack: %w", fs.ErrNotExist)
	}
	return z.Close()
}

// packFile packs into a new file at name, whose folder is made if need be.
func packFile(name string, fsys fs.FS) error {
	var b bytes.Buffer
	if err := pack(&b, fsys); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o600)
}
