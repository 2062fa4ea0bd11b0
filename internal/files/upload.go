package files

import (
	"bytes"
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

// Upload is the input of one task: an archive, the images of a folder, or single images.
type Upload struct {
	// Title is the name of the archive, of the folder, or of the first image, without its extension.
	Title string
	// Archive is true for a CBZ or ZIP, whose result is a CBZ, and false for images, whose result is a folder.
	Archive bool
	// Dir is the default folder for the result.
	Dir   string
	Files []Page
	// Sum is a checksum of all names and contents.
	Sum [sha256.Size]byte
	// path is the first path, as it was given.
	path string
}

// OpenUpload lists the files of paths, which must not be empty, and reads them once for the checksum. Several paths must all be images.
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
		return nil, fmt.Errorf("%s has no pages; JPEG, PNG, WebP, GIF and BMP images are pages", first)
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

// IsDocument reports whether a file is a PDF, by its name or its first bytes: a PDF may begin up to 1,024 bytes into the file (ISO 32000-1,
// Annex H).
func IsDocument(path string) bool {
	if strings.EqualFold(filepath.Ext(path), ".pdf") {
		return true
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 1024)
	n, _ := io.ReadFull(f, begin) // a shorter file is looked at as far as it goes
	return bytes.Contains(begin[:n], []byte("%PDF-"))
}

// OpenFiles lists files of any format, and reads them once for the checksum of their names and contents.
func OpenFiles(paths []string) (list []Page, sum [sha256.Size]byte, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, sum, Plain(err)
		case !info.Mode().IsRegular():
			return nil, sum, argument("%s is not a file", path)
		}
		list = append(list, fileOf(filepath.Base(path), path))
	}
	sum, err = sumOf(list)
	return list, sum, err
}

// sumOf returns the SHA-256 of the names and contents of files, in their order.
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

// Absolute returns the absolute path, or path itself if the working folder is unknown.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// IsArchive reports whether path has the extension of an archive: .cbz or .zip.
func IsArchive(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".cbz" || ext == ".zip"
}

// kind says what a path refers to, in words for messages.
type kind string

const (
	folderKind  kind = "a folder"
	archiveKind kind = "an archive"
	imageKind   kind = "an image"
)

// kindOf returns the kind of a path. It looks at the first bytes of a file, because many files named .cbr are ZIP archives. It refuses
// pipes and devices: reading one may block forever, and pages are read twice.
func kindOf(path string) (kind, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", withoutPath(err)
	case info.IsDir():
		return folderKind, nil
	case !info.Mode().IsRegular():
		return "", core.NewError(core.CodeInvalidInput, "is neither a file nor a folder")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", withoutPath(err)
	}
	defer f.Close()
	if err := archive.CheckFormat(f); err != nil {
		return "", err
	}
	begin := make([]byte, 4)
	n, _ := f.ReadAt(begin, 0) // reading the page reports the error
	if IsArchive(path) || string(begin[:n]) == "PK\x03\x04" {
		return archiveKind, nil
	}
	return imageKind, nil
}
