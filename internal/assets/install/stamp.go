package install

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"plait/internal/assets"
)

// stampName is the file that says for which lock files a folder is complete. It is written last.
const stampName = ".complete"

// stamp identifies what a folder must hold: the hash of every lock file and the platform.
func stamp(group assets.Group, platform string) (string, error) {
	sum := sha256.New()
	err := group.Walk(func(path string) error {
		text, err := group.ReadFile(path)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	_, _ = fmt.Fprint(sum, platform)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// complete reports whether dir was filled for want and still has every file.
func complete(dir, want string, manifest assets.Manifest) bool {
	got, err := os.ReadFile(filepath.Join(dir, stampName))
	if err != nil || string(got) != want {
		return false
	}
	for _, f := range manifest.Files {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f.Target))); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

func writeStamp(dir, want string) error {
	return os.WriteFile(filepath.Join(dir, stampName), []byte(want), readable)
}
