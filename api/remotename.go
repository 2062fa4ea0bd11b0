package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"

	"plait/internal/archive"
	"plait/internal/core"
	"plait/tasks"
)

// nameFiles names the fetched files, which are those from first on. A file without a name in the request gets the last element of the path
// of its URL. Where two files would get one name, each gets the number of its URL before it, so that their order is that of the request.
func nameFiles(in *spool, first int) error {
	fetched := in.files[first:]
	names, given := make([]string, 0, len(fetched)), make([]bool, 0, len(fetched))
	for _, r := range in.remotes {
		if r.into != nil {
			continue
		}
		name := r.name
		if name == "" {
			var err error
			if name, err = nameOf(r.url, fetched[len(names)]); err != nil {
				return err
			}
		}
		names, given = append(names, name), append(given, r.name != "")
	}
	numbered := hasDuplicates(names)
	width := len(fmt.Sprint(len(names)))
	for i := range fetched {
		if numbered && !given[i] {
			names[i] = fmt.Sprintf("%0*d-%s", width, i+1, names[i])
		}
		fetched[i].Name = names[i]
	}
	return nil
}

func hasDuplicates(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		if name = strings.ToLower(name); seen[name] {
			return true
		}
		seen[name] = true
	}
	return false
}

const (
	// defaultName is the name of a file whose URL contains none.
	defaultName = "file"
	// maxBaseBytes leaves room for a number and an extension in the 255 bytes of a file name.
	maxBaseBytes = 200
)

// nameOf returns the name of a file by its URL. Its content decides whether it is an image or an archive: a name that says otherwise gets
// a further extension.
func nameOf(text string, f tasks.Upload) (string, error) {
	name := defaultName
	if u, err := url.Parse(text); err == nil {
		// A name that begins with a dot would be hidden in the result.
		base := strings.TrimLeft(path.Base(u.Path), "./")
		if len(base) <= maxBaseBytes && archive.CheckName(base) == nil {
			name = base
		}
	}
	head := make([]byte, sniffBytes)
	n, err := f.File.ReadAt(head[:min(f.Size, sniffBytes)], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
	}
	kind := http.DetectContentType(head[:n])
	if extension, known := extensions[kind]; known && archive.IsPage(name) != strings.HasPrefix(kind, "image/") {
		name += extension
	}
	return name, nil
}

// extensions are those of the content types that http.DetectContentType can tell and that files of requests have.
var extensions = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp", "application/zip": ".zip",
}
