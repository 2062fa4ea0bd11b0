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

// marker is a file in the folder of a result. It keeps a later command on a folder above from taking the result for originals.
const marker = ".plait-result"

func isResult(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, marker))
	return err == nil
}

// Result is where the result of a task goes: a file as it comes, which is an archive of pages for a chapter; the pages of the archive in
// a folder; the one page of the archive; or several of these. Empty is none.
type Result struct {
	File   string `json:"file,omitempty"`
	Folder string `json:"folder,omitempty"`
	Page   string `json:"page,omitempty"`
}

// ResultOf is what out names: a .cbz or .zip file is an archive, an image the file of one page, any other name a folder. It fails
// for a name that ends like a file that no result is.
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
		return Result{}, argument("-o %s: a result is a .cbz or .zip file, a folder, or the image of one page, and no %s file", out, ext)
	}
	return Result{Folder: out}, nil
}

// ResultFor is where the result of an upload goes. Without out it lies beside the input and follows its kind.
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

// Lines tell people where the result is.
func (r Result) Lines() []string {
	lines := r.paths()
	for i := range lines {
		lines[i] = "→ " + lines[i]
	}
	return lines
}

// Beside is a path next to a result that is not empty, for what goes with it.
func (r Result) Beside(suffix string) string {
	base := r.paths()[0]
	if base != r.Folder {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return filepath.Clean(base) + suffix
}

// Absolute is the same result, whatever the working folder.
func (r Result) Absolute() Result {
	for _, path := range []*string{&r.File, &r.Folder, &r.Page} {
		if *path != "" {
			*path = Absolute(*path)
		}
	}
	return r
}

// Check finds early what fails late: a place that cannot be written, and a result over an input or among its pages.
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

// covers reports whether writing the result writes over the input, or among its pages.
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

// Write puts the result that fetch streams where it belongs. task is kept in the marker of a folder. Files appear whole or not at all.
func (r Result) Write(ctx context.Context, task string, limits archive.Limits, fetch func(io.Writer) error) error {
	take := func(f *os.File) error {
		if err := fetch(f); err != nil || r.Folder == "" && r.Page == "" {
			return err
		}
		return r.unpack(ctx, f, task, limits)
	}
	if r.File != "" {
		return place(r.File, take)
	}
	return inTempFile(filepath.Clean(r.paths()[0]), take)
}

// unpack writes every entry of a CBZ below the folder, or its one page. The archive came from a server: its names are checked.
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
			return fmt.Errorf("%s arrived damaged", e.Name)
		}
		return err
	})
}
