package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/api/client"
	"plait/internal/archive"
)

// chapter is what a person named on the command line: an archive, a folder, or images.
type chapter struct {
	// title is the name without its extension: of the archive, of the folder, or of the first image.
	title string
	// archive tells a CBZ or ZIP, whose result is a CBZ, from pages, whose result is a folder.
	archive bool
	// dir is where the result goes when nothing else is said.
	dir   string
	files []client.File
	// sum identifies names and contents.
	sum [sha256.Size]byte
}

func openChapter(paths []string) (*chapter, error) {
	c := &chapter{}
	first := filepath.Clean(paths[0])
	c.title = strings.TrimSuffix(filepath.Base(first), filepath.Ext(first))
	c.dir = filepath.Dir(first)
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, plainPathError(err)
		case info.IsDir() && len(paths) > 1:
			return nil, fmt.Errorf("%s is a folder; name one folder, one archive, or any number of images", path)
		case info.IsDir():
			c.title = filepath.Base(absolute(first))
			c.dir = filepath.Dir(absolute(first))
			if err := c.addFolder(path); err != nil {
				return nil, err
			}
		case isArchive(path) && len(paths) > 1:
			return nil, fmt.Errorf("%s is an archive; name one folder, one archive, or any number of images", path)
		case !info.Mode().IsRegular():
			return nil, about(path, errIrregular)
		default:
			c.archive = isArchive(path)
			c.add(filepath.Base(path), path)
		}
	}
	if len(c.files) == 0 {
		return nil, fmt.Errorf("%s holds no pages; JPEG, PNG, WebP, GIF and BMP images are pages", first)
	}
	return c, c.identify()
}

// errIrregular is said of a pipe or a device: one that nobody writes to would never end, and pages are read twice.
var errIrregular = errors.New("is neither a file nor a folder")

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func isArchive(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".cbz" || ext == ".zip"
}

func (c *chapter) add(name, path string) {
	c.files = append(c.files, client.File{Name: name, Open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, plainPathError(err)
		}
		return f, nil
	}})
}

// addFolder adds the images below root, named from there. Links are not followed: a loop of them has no end.
func (c *chapter) addFolder(root string) error {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return plainPathError(err)
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if name = filepath.ToSlash(name); d.Type().IsRegular() && archive.IsPage(name) {
			c.add(name, path)
		}
		return nil
	})
	slices.SortFunc(c.files, func(a, b client.File) int { return archive.NaturalCompare(a.Name, b.Name) })
	return err
}

func (c *chapter) identify() error {
	all := sha256.New()
	for _, f := range c.files {
		in, err := f.Open()
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, in)
		_ = in.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		fmt.Fprintf(all, "%q %x\n", f.Name, sum.Sum(nil))
	}
	all.Sum(c.sum[:0])
	return nil
}

// idempotencyKey names a run: the same input with the same choices is the same task, so that repeating an interrupted
// command goes on with it. The attempt tells it from earlier tasks that ended without success.
func (c *chapter) idempotencyKey(r client.Request, attempt int) string {
	parts := []any{
		hex.EncodeToString(c.sum[:]), r.From, r.To, r.Mode, r.Translator, fmt.Sprintf("%x", sha256.Sum256(r.Script)), attempt,
	}
	if len(r.Glossary) > 0 || r.Synopsis != "" { // runs without them are named as they were before there were any
		parts = append(parts, fmt.Sprintf("%x", sha256.Sum256(r.Glossary)), r.Synopsis)
	}
	b, err := json.Marshal(parts)
	if err != nil {
		panic(err) // strings and a number
	}
	sum := sha256.Sum256(b)
	return "cli-" + hex.EncodeToString(sum[:])
}
