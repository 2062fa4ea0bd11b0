package files

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/archive"
	"plait/internal/core"
)

// Upload is what is sent to a server as one task: an archive, the images of a folder, or single images.
type Upload struct {
	// Title is the name without its extension: of the archive, of the folder, or of the first image.
	Title string
	// Archive tells a CBZ or ZIP, whose result is a CBZ, from pages, whose result is a folder.
	Archive bool
	// Dir is where the result goes when nothing else is said.
	Dir   string
	Files []Page
	// Sum identifies names and contents.
	Sum [sha256.Size]byte
	// path is the first path, as it was given.
	path string
}

// OpenUpload lists what paths name, and reads it once for its sum.
func OpenUpload(paths []string) (*Upload, error) {
	first := filepath.Clean(paths[0])
	u := &Upload{path: paths[0], Title: strings.TrimSuffix(filepath.Base(first), filepath.Ext(first)), Dir: filepath.Dir(first)}
	for _, path := range paths {
		kind, err := kindOf(path)
		switch {
		case err != nil:
			return nil, In(path, err)
		case kind != imageKind && len(paths) > 1:
			return nil, argument("%s is %s; name one folder, one archive, or any number of images", path, kind)
		case kind == folderKind:
			u.Title, u.Dir = filepath.Base(Absolute(first)), filepath.Dir(Absolute(first))
			if u.Files, err = imagesBelow(path); err != nil {
				return nil, err
			}
		default:
			u.Archive = kind == archiveKind
			u.Files = append(u.Files, fileOf(filepath.Base(path), path))
		}
	}
	if len(u.Files) == 0 {
		return nil, fmt.Errorf("%s holds no pages; JPEG, PNG, WebP, GIF and BMP images are pages", first)
	}
	return u, u.identify()
}

// Blame adds the path of an archive to an error about its content, which a server knows only by its bytes.
func (u *Upload) Blame(err error) error {
	ofContent := []core.Code{core.CodeInvalidArchive, core.CodeInvalidImage, core.CodeImageTooLarge, core.CodeTooLarge}
	if u.Archive && slices.Contains(ofContent, core.CodeOf(err)) {
		return In(u.path, err)
	}
	return err
}

func (u *Upload) identify() (err error) {
	u.Sum, err = sumOf(u.Files)
	return err
}

// OpenFiles lists files of any sort, and reads them once for the sum of their names and contents.
func OpenFiles(paths []string) (list []Page, sum [sha256.Size]byte, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, sum, Plain(err)
		case !info.Mode().IsRegular():
			return nil, sum, argument("%s is no file", path)
		}
		list = append(list, fileOf(filepath.Base(path), path))
	}
	sum, err = sumOf(list)
	return list, sum, err
}

// sumOf is the sum of the names and contents of files, in their order.
func sumOf(list []Page) (sum [sha256.Size]byte, err error) {
	all := sha256.New()
	for _, f := range list {
		in, err := f.Open()
		if err != nil {
			return sum, err
		}
		content := sha256.New()
		_, err = io.Copy(content, in)
		_ = in.Close()
		if err != nil {
			return sum, fmt.Errorf("%s: %w", f.Name, err)
		}
		fmt.Fprintf(all, "%q %x\n", f.Name, content.Sum(nil))
	}
	all.Sum(sum[:0])
	return sum, nil
}

// Absolute is the absolute path, or the path itself where the working folder is unknown.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// IsArchive reports whether a result of that name is an archive.
func IsArchive(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".cbz" || ext == ".zip"
}

// kind is what a path names.
type kind string

const (
	folderKind  kind = "a folder"
	archiveKind kind = "an archive"
	imageKind   kind = "an image"
)

// kindOf looks at the first bytes, as a CBR is a ZIP often enough. A pipe or a device is refused: one that nobody writes to never
// ends, and pages are read twice.
func kindOf(path string) (kind, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", bare(err)
	case info.IsDir():
		return folderKind, nil
	case !info.Mode().IsRegular():
		return "", core.NewError(core.CodeInvalidInput, "is neither a file nor a folder")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", bare(err)
	}
	defer f.Close()
	if err := archive.CheckFormat(f); err != nil {
		return "", err
	}
	begin := make([]byte, 4)
	n, _ := f.ReadAt(begin, 0) // an error shows when the page is read
	if IsArchive(path) || string(begin[:n]) == "PK\x03\x04" {
		return archiveKind, nil
	}
	return imageKind, nil
}
