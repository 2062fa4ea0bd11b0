package files

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/archive"
)

// marker is the name of a file in the folder of a result. It prevents a later command on a parent folder from reading the result as
// original pages.
const marker = ".plait-result"

func isResult(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, marker))
	return err == nil
}

// Result says where to write the result of a task, in one form or several. The zero value means nowhere.
type Result struct {
	File   string `json:"file,omitempty"`   // path of a file, which for a chapter is an archive of its pages
	Folder string `json:"folder,omitempty"` // path of a folder for the pages of the archive
	Page   string `json:"page,omitempty"`   // path of an image for the only page of the archive
}

// ResultOf interprets the path out: a .cbz or .zip file is an archive, an image is the file of one page, and any other name is a folder.
// It fails for the extension of a format that Plait does not write, such as .pdf.
func ResultOf(out string) (Result, error) {
	ext := strings.ToLower(filepath.Ext(out))
	switch {
	case out == "":
		return Result{}, nil
	case IsArchive(out):
		return Result{File: out}, nil
	case archive.IsPage(filepath.Base(out)):
		return Result{Page: out}, nil
	case slices.Contains([]string{".cbr", ".rar", ".cb7", ".7z", ".cbt", ".tar", ".gz", ".pdf", ".epub", ".mobi", ".json", ".csv", ".txt"}, ext):
		return Result{}, argument("-o %s: a result is a .cbz or .zip file, a folder, or the image of one page, not a %s file", out, ext)
	}
	return Result{Folder: out}, nil
}

// ResultFor returns where to write the result of an upload to the language to. out is as for [ResultOf]; folder, if not empty, is a
// folder that gets the pages too. Without out and folder, the result is beside the input: an archive for an archive, else a folder.
func ResultFor(u *Upload, to, out, folder string) (Result, error) {
	r, err := ResultOf(out)
	if err != nil {
		return r, err
	}
	switch {
	case r.Page != "":
		if u.Archive || len(u.Files) != 1 {
			return r, argument("-o %s names the image of one page; the input is a chapter, whose result is a .cbz or .zip file or a folder", out)
		}
		if own := OwnEnding(u.Files[0]); !strings.EqualFold(own, filepath.Ext(out)) {
			return r, argument("-o %s: a page keeps its format; give it the ending %s", out, own)
		}
	case out == "" && u.Archive:
		r.File = filepath.Join(u.Dir, u.Title+"."+to+".cbz")
	case out == "" && folder == "":
		r.Folder = filepath.Join(u.Dir, u.Title+"."+to)
	}
	if folder != "" {
		r.Folder = folder
	}
	return r, nil
}

func (r Result) paths() []string {
	return slices.DeleteFunc([]string{r.File, r.Folder, r.Page}, func(path string) bool { return path == "" })
}

// Lines returns a line for each path of the result, to print for the user.
func (r Result) Lines() []string {
	lines := r.paths()
	for i := range lines {
		lines[i] = "→ " + lines[i]
	}
	return lines
}

// Beside returns a path beside the result, which must not be empty: its name with suffix instead of the extension. It is for files that
// accompany the result.
func (r Result) Beside(suffix string) string {
	base := r.paths()[0]
	if base != r.Folder {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return filepath.Clean(base) + suffix
}

// Absolute returns the result with absolute paths.
func (r Result) Absolute() Result {
	for _, path := range []*string{&r.File, &r.Folder, &r.Page} {
		if *path != "" {
			*path = Absolute(*path)
		}
	}
	return r
}

// Check returns an error if Write would fail or do harm: if a path cannot be written, or if the result would overwrite an input or mix
// with its pages. It lets a command fail before its work instead of after it.
func (r Result) Check(inputs []string) error {
	for _, path := range r.paths() {
		if err := CheckFolder(filepath.Dir(path)); err != nil {
			return err
		}
		for _, input := range inputs {
			if r.covers(input) {
				return argument("%s is the input; choose another place for the result with -o", input)
			}
		}
		if info, err := os.Stat(path); path != r.Folder && err == nil && info.IsDir() {
			return fmt.Errorf("%s is a folder, not a file to write", path)
		}
	}
	if r.Folder != "" {
		return CheckFolder(r.Folder)
	}
	return nil
}

// covers reports whether writing the result would overwrite the input or add files among its pages.
func (r Result) covers(input string) bool {
	in := Absolute(filepath.Clean(input))
	for _, file := range []string{r.File, r.Page} {
		if file != "" && Absolute(filepath.Clean(file)) == in {
			return true
		}
	}
	if r.Folder == "" {
		return false
	}
	out := Absolute(filepath.Clean(r.Folder))
	return out == in || out == filepath.Dir(in) && !IsArchive(in) || strings.HasPrefix(out, in+string(filepath.Separator))
}

// Write writes the result that fetch streams to all paths of r. A folder also gets a marker file with the task. Each file is written
// atomically.
func (r Result) Write(ctx context.Context, task string, limits archive.Limits, fetch func(io.Writer) error) error {
	take := func(f *os.File) error {
		if err := fetch(f); err != nil || r.Folder == "" && r.Page == "" {
			return err
		}
		return r.unpack(ctx, f, task, limits)
	}
	if r.File != "" {
		return replace(r.File, take)
	}
	return inTempFile(filepath.Clean(r.paths()[0]), take)
}

// unpack writes every entry of the CBZ f below the folder, or its only page to the file of the page. archive.Open checks the names,
// because the archive comes from a server.
func (r Result) unpack(ctx context.Context, f *os.File, task string, limits archive.Limits) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	a, err := archive.Open(f, info.Size(), limits)
	if err != nil {
		return err
	}
	if r.Folder != "" {
		if err := Write(filepath.Join(r.Folder, marker), func(w io.Writer) error {
			return json.NewEncoder(w).Encode(map[string]string{"task": task})
		}); err != nil {
			return err
		}
	}
	for _, e := range a.Entries() {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if r.Folder != "" {
			if err := extract(a, e, filepath.Join(r.Folder, filepath.FromSlash(e.Name))); err != nil {
				return err
			}
		}
		if r.Page != "" && e.Page {
			if err := extract(a, e, r.Page); err != nil {
				return err
			}
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
	return Write(path, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		if errors.Is(err, zip.ErrChecksum) {
			return fmt.Errorf("%s was damaged in transfer", e.Name)
		}
		return err
	})
}
