package main

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plait/internal/archive"
)

// target is where the result goes: an archive, a folder of pages, or both. Empty is none.
type target struct {
	archive string
	folder  string
}

// newTarget follows the input's kind unless out says otherwise: a name ending in .cbz or .zip is an archive, any other
// a folder.
func newTarget(c *chapter, to, out, folder string) target {
	t := target{folder: folder}
	switch {
	case isArchive(out):
		t.archive = out
	case out != "":
		t.folder = out
	case c.archive:
		t.archive = filepath.Join(c.dir, c.title+"."+to+".cbz")
	case folder == "":
		t.folder = filepath.Join(c.dir, c.title+"."+to)
	}
	return t
}

// targetOf is what out alone names.
func targetOf(out string) target {
	if isArchive(out) {
		return target{archive: out}
	}
	return target{folder: out}
}

// lines tell people where the result is.
func (t target) lines() []string {
	var lines []string
	for _, path := range []string{t.archive, t.folder} {
		if path != "" {
			lines = append(lines, "→ "+path)
		}
	}
	return lines
}

// beside is a path next to the result, for what goes with it.
func (t target) beside(suffix string) string {
	base := t.folder
	if t.archive != "" {
		base = strings.TrimSuffix(t.archive, filepath.Ext(t.archive))
	}
	return filepath.Clean(base) + suffix
}

// check finds early what would fail late: a place that cannot be written.
func (t target) check(inputs []string) error {
	for _, path := range []string{t.archive, t.folder} {
		if path == "" {
			continue
		}
		if err := placeable(filepath.Dir(path)); err != nil {
			return err
		}
	}
	for _, input := range inputs {
		if t.covers(input) {
			return fmt.Errorf("%s is the input; choose another place for the result with -o", input)
		}
	}
	if info, err := os.Stat(t.archive); t.archive != "" && err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder, not a file to write", t.archive)
	}
	if t.folder != "" {
		return placeable(t.folder)
	}
	return nil
}

// placeable finds what keeps a folder from being made, and makes none: a command that fails leaves nothing behind.
func placeable(dir string) error {
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.IsDir():
			return writable(dir)
		case err == nil:
			return fmt.Errorf("%s is a file, not a folder to write into", dir)
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return plainPathError(err)
		}
		dir = filepath.Dir(dir)
	}
}

// writable tries a folder, so that a book is not worked through for pages that cannot be kept.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".plait-")
	if err != nil {
		var ofPath *fs.PathError
		if errors.As(err, &ofPath) {
			err = ofPath.Err
		}
		return about(dir, fmt.Errorf("cannot be written into: %w", err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// covers reports whether writing the result would write over the input, or among its pages.
func (t target) covers(input string) bool {
	in := absolute(filepath.Clean(input))
	if t.archive != "" && absolute(filepath.Clean(t.archive)) == in {
		return true
	}
	if t.folder == "" {
		return false
	}
	out := absolute(filepath.Clean(t.folder))
	return out == in || out == filepath.Dir(in) && !isArchive(in) || strings.HasPrefix(out, in+string(filepath.Separator))
}

// write puts the archive that fetch streams where it belongs. Files appear whole or not at all.
func (t target) write(ctx context.Context, limits archive.Limits, fetch func(io.Writer) error) error {
	take := func(f *os.File) error {
		if err := fetch(f); err != nil || t.folder == "" {
			return err
		}
		return unpack(ctx, f, t.folder, limits)
	}
	if t.archive == "" {
		return inTempFile(filepath.Clean(t.folder), take)
	}
	return placeFile(t.archive, take)
}

// unpack writes every entry of a CBZ below folder. The archive came from a server: its names are checked again.
func unpack(ctx context.Context, f *os.File, folder string, limits archive.Limits) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	a, err := archive.Open(f, info.Size(), limits)
	if err != nil {
		return err
	}
	for _, e := range a.Entries() {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := extract(a, e, filepath.Join(folder, filepath.FromSlash(e.Name))); err != nil {
			return err
		}
	}
	return nil
}

func extract(a *archive.Archive, e archive.Entry, path string) error {
	in, err := a.Open(e.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	return writeFile(path, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		if errors.Is(err, zip.ErrChecksum) {
			return fmt.Errorf("%s arrived damaged", e.Name)
		}
		return err
	})
}

// writeFile makes path of what write streams. It appears whole or not at all, and what was there before stays until
// then. Its folder is made.
func writeFile(path string, write func(io.Writer) error) error {
	return placeFile(path, func(f *os.File) error { return write(f) })
}

// placeFile is writeFile for what reads the file again.
func placeFile(path string, write func(*os.File) error) error {
	return inTempFile(path, func(tmp *os.File) error {
		if err := write(tmp); err != nil {
			return err
		}
		if err := errors.Join(tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
			return plainPathError(err)
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
		return plainPathError(err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	err = work(tmp)
	var ofPath *fs.PathError
	if errors.As(err, &ofPath) && ofPath.Path == tmp.Name() {
		return about(path, ofPath.Err)
	}
	return err
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return plainPathError(err)
	}
	return nil
}
