package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReachableTree returns tree, or a copy of it that user can reach: under /var/lib/plait, or beside the cluster when that cannot
// be written. Copies are named by the hash of the server program, so that one serves every data folder.
func ReachableTree(tree string, place Place) (string, error) {
	if place.User == nil || place.User.CanReach(filepath.Join(tree, "bin")) {
		return tree, nil
	}
	sum, err := hashFile(filepath.Join(tree, "bin", "postgres"))
	if err != nil {
		return "", err
	}
	name := "postgres-" + sum[:12]
	for _, parent := range []string{systemDir, filepath.Dir(place.Dir)} {
		if err = makePassage(parent, place.User); err != nil {
			continue
		}
		var copied string
		if copied, err = copyTree(tree, filepath.Join(parent, name)); err == nil {
			return copied, nil
		}
	}
	return "", fmt.Errorf("no place for the Postgres programs that user %d can reach (last: %w)", place.User.UID, err)
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// copyTree copies tree to target, whole or not at all.
func copyTree(tree, target string) (string, error) {
	if _, err := os.Stat(target); err == nil {
		return target, nil
	}
	draft, err := os.MkdirTemp(filepath.Dir(target), ".postgres-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(draft) }()
	if err := os.CopyFS(filepath.Join(draft, "tree"), os.DirFS(tree)); err != nil {
		return "", err
	}
	if err := filepath.WalkDir(filepath.Join(draft, "tree"), openToAll); err != nil {
		return "", err
	}
	err = os.Rename(filepath.Join(draft, "tree"), target)
	if errors.Is(err, fs.ErrExist) {
		return target, nil // another process was first
	}
	return target, err
}

// openToAll gives what the umask may have taken: the source was readable by its owner, and executable where it is a program.
func openToAll(name string, entry fs.DirEntry, err error) error {
	if err != nil || entry.Type()&fs.ModeSymlink != 0 {
		return err
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	return os.Chmod(name, mode) //nolint:gosec // G122: a fresh folder that no other process knows
}
