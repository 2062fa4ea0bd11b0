package assets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Set is an asset folder that contains all files of the manifest.
type Set struct {
	dir   string
	files map[string]File
	order []File
}

// Font is one font file.
type Font struct {
	Name   string // in the manifest
	Family string
	Weight int    // 400, 500 or 700
	Style  string // normal or italic
	Path   string // absolute
}

// DefaultDir returns the folder "assets" beside the executable, where `make` puts it.
func DefaultDir() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the executable: %w", err)
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", fmt.Errorf("find the executable: %w", err)
	}
	return filepath.Join(filepath.Dir(exe), "assets"), nil
}

// Open opens the asset folder dir of [Base]: see [Group.Open].
func Open(dir string) (*Set, error) { return Base.Open(dir) }

// Open opens the folder of the group that belongs to the asset folder base ([Group.Dir]). It checks that every file for this platform
// exists, but reads no content: see [Set.Verify]. Errors: [*MissingError].
func (g Group) Open(base string) (*Set, error) {
	dir, err := g.Dir(base)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &MissingError{Group: g, Path: dir}
	}
	manifest, err := g.Manifest(Platform())
	if err != nil {
		return nil, err
	}
	set := &Set{dir: dir, files: make(map[string]File, len(manifest.Files)), order: manifest.Files}
	for _, f := range manifest.Files {
		set.files[f.Name] = f
		if info, err := os.Stat(set.path(f)); err != nil || !info.Mode().IsRegular() {
			return nil, &MissingError{Group: g, Name: f.Name, Path: set.path(f)}
		}
	}
	return set, nil
}

// Dir returns the absolute path of the asset folder.
func (s *Set) Dir() string { return s.dir }

func (s *Set) path(f File) string { return filepath.Join(s.dir, filepath.FromSlash(f.Target)) }

// File returns the manifest's entry of a file.
func (s *Set) File(name string) (File, error) {
	f, ok := s.files[name]
	if !ok {
		return File{}, fmt.Errorf("no asset named %q for %s", name, Platform())
	}
	return f, nil
}

// Path returns the absolute path of a named file.
func (s *Set) Path(name string) (string, error) {
	f, err := s.File(name)
	if err != nil {
		return "", err
	}
	return s.path(f), nil
}

// Fonts returns the fonts in the order of the manifest.
func (s *Set) Fonts() []Font {
	var fonts []Font
	for _, f := range s.order {
		if f.Kind == KindFont {
			fonts = append(fonts, Font{Name: f.Name, Family: f.Family, Weight: f.Weight, Style: f.Style, Path: s.path(f)})
		}
	}
	return fonts
}

// Verify reads every file, about 400 MB, and compares its SHA-256. Errors: [*MissingError], [*MismatchError].
func (s *Set) Verify(ctx context.Context) error {
	for _, f := range s.order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := VerifyFile(f, s.path(f)); err != nil {
			return err
		}
	}
	return nil
}

// VerifyFile compares the SHA-256 of the file at path with that of f. Errors: [*MissingError], [*MismatchError].
func VerifyFile(f File, path string) error {
	r, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &MissingError{Name: f.Name, Path: path}
	}
	if err != nil {
		return fmt.Errorf("asset %s: %w", f.Name, err)
	}
	defer func() { _ = r.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return fmt.Errorf("asset %s: %w", f.Name, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.SHA256 {
		return &MismatchError{Name: f.Name, Path: path, Want: f.SHA256, Got: got}
	}
	return nil
}
