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

// ReachableTree returns tree, the folder of the Postgres programs, if the account of place can reach it. Otherwise it returns a copy
// under /var/lib/plait, or beside the cluster if it cannot write there. A copy is named by the hash of the server program, so that all
// data folders share it.
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
		if err = makeEnterable(parent, place.User); err != nil {
			continue
		}
		var copied string
		if copied, err = copyTree(tree, filepath.Join(parent, name)); err == nil {
			return copied, nil
		}
	}
	return "", fmt.Errorf("no folder for the Postgres programs that user %d can reach (last error: %w)", place.User.UID, err)
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

// copyTree copies tree to target atomically, and returns target. An existing target is complete, and stays as it is.
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
		return target, nil // another process has copied it meanwhile
	}
	return target, err
}

// openToAll sets the permissions that the umask may have removed: readable by everyone, and executable if the owner may execute it.
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
	return os.Chmod(name, mode) //nolint:gosec // G122: no other process knows this new folder
}
