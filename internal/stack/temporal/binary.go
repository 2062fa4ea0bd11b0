package temporal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"plait/internal/assets"
)

// BuiltName is the program that `make devserver` builds.
const BuiltName = "plait-temporal"

// ErrNoBinary means that no Temporal server program was found.
var ErrNoBinary = errors.New("no Temporal server: run `make assets`, install the Temporal CLI, or run `make devserver`")

// FindBinary returns the path of the server program. The choices, in order: configured if it is not empty, `temporal` on the PATH, the
// CLI in assetsDir (empty: the folder "assets" beside the executable), plait-temporal beside the executable. Errors: [ErrNoBinary].
func FindBinary(configured, assetsDir string) (string, error) {
	if configured != "" {
		path, err := exec.LookPath(configured)
		if err != nil {
			return "", fmt.Errorf("configured Temporal server: %w", err)
		}
		return filepath.Abs(path)
	}
	if path, err := exec.LookPath("temporal"); err == nil {
		return filepath.Abs(path)
	}
	path, fetched := fetchedBinary(assetsDir)
	if fetched == nil {
		return path, nil
	}
	path, err := builtBinary()
	if err != nil {
		return "", errors.Join(ErrNoBinary, fetched)
	}
	return path, nil
}

func fetchedBinary(assetsDir string) (string, error) {
	set, err := assets.Open(assetsDir)
	if err != nil {
		return "", err
	}
	return set.Path(assets.Temporal)
}

func builtBinary() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(filepath.Dir(exe), BuiltName))
}
