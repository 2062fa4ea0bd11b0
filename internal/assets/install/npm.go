package install

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"plait/internal/assets"
)

// npmArch maps GOARCH to npm's names.
var npmArch = map[string]string{"amd64": "x64", "arm64": "arm64"}

// npmPackages installs the locked packages under dir without running any script of theirs, and returns the folder that holds
// them. npm compares each archive with the integrity in the lock file.
func npmPackages(ctx context.Context, group assets.Group, dir, platform string) (string, error) {
	if err := copyLockFiles(group, dir, "package.json", "package-lock.json"); err != nil {
		return "", err
	}
	args := []string{"ci", "--ignore-scripts", "--no-audit", "--no-fund"}
	if platform != assets.Platform() { // npm 9 of Debian 12 and Ubuntu 24.04 has no such flags, and needs none for its own platform
		goos, goarch, _ := strings.Cut(platform, "/")
		arch, ok := npmArch[goarch]
		if !ok {
			return "", fmt.Errorf("no packages for architecture %s", goarch)
		}
		args = append(args, "--os="+goos, "--cpu="+arch)
	}
	return filepath.Join(dir, "node_modules"), download(ctx, dir, "npm", args...)
}

func copyLockFiles(group assets.Group, dir string, names ...string) error {
	if err := os.MkdirAll(dir, walkable); err != nil {
		return err
	}
	for _, name := range names {
		text, err := group.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, readable); err != nil {
			return err
		}
	}
	return nil
}

// download runs a package manager in dir; what it says is shown only when it fails.
func download(ctx context.Context, dir string, command string, args ...string) error {
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return nil
}
