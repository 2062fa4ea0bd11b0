package install

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"plait/internal/assets"
)

// pipPlatforms maps GOOS/GOARCH to the platform tags of the wheels that carry programs.
var pipPlatforms = map[string][]string{
	"linux/amd64":  {"manylinux2014_x86_64", "manylinux_2_28_x86_64"},
	"linux/arm64":  {"manylinux2014_aarch64", "manylinux_2_28_aarch64"},
	"darwin/amd64": {"macosx_10_9_x86_64"},
	"darwin/arm64": {"macosx_11_0_arm64"},
}

// pythonPackages downloads the wheels of requirements.txt under dir, compared with their hashes by pip, and unpacks them side
// by side into the folder it returns. Nothing is installed, built or run.
func pythonPackages(ctx context.Context, group assets.Group, dir, platform string) (string, error) {
	if err := copyLockFiles(group, dir, "requirements.txt"); err != nil {
		return "", err
	}
	args := []string{
		"-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--ignore-requires-python", "--no-deps",
		"--require-hashes", "--only-binary=:all:", "-r", "requirements.txt", "-d", ".",
	}
	if platform != assets.Platform() {
		tags, ok := pipPlatforms[platform]
		if !ok {
			return "", fmt.Errorf("no wheels for platform %s", platform)
		}
		for _, tag := range tags {
			args = append(args, "--platform", tag)
		}
	}
	if err := download(ctx, dir, "python3", args...); err != nil {
		return "", err
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil {
		return "", err
	}
	unpacked := filepath.Join(dir, "unpacked")
	for _, wheel := range wheels {
		if err := unpackWheel(wheel, unpacked); err != nil {
			return "", fmt.Errorf("%s: %w", filepath.Base(wheel), err)
		}
	}
	return unpacked, nil
}

func unpackWheel(wheel, dir string) error {
	r, err := zip.OpenReader(wheel)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for _, entry := range r.File {
		if strings.HasSuffix(entry.Name, "/") {
			continue
		}
		if !filepath.IsLocal(filepath.FromSlash(entry.Name)) {
			return fmt.Errorf("entry %q leads out of the archive", entry.Name)
		}
		if err := unpackEntry(entry, filepath.Join(dir, filepath.FromSlash(entry.Name))); err != nil {
			return err
		}
	}
	return nil
}

func unpackEntry(entry *zip.File, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), walkable); err != nil {
		return err
	}
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	w, err := os.Create(path)
	if err != nil {
		return err
	}
	// The wheel's SHA-256 has been compared, so its sizes are the pinned ones.
	if _, err := io.Copy(w, r); err != nil { //nolint:gosec // G110: see above
		_ = w.Close()
		return err
	}
	return w.Close()
}
