package temporal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// BuiltName is the program that `make devserver` builds.
const BuiltName = "plait-temporal"

// ErrNoBinary means that no Temporal server program was found.
var ErrNoBinary = errors.New("no Temporal server: install the Temporal CLI, or run `make devserver`")

// FindBinary returns the server program: configured when it is not empty, else `temporal` on the PATH, else plait-temporal beside
// the executable.
func FindBinary(configured string) (string, error) {
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
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if exe, err = filepath.EvalSymlinks(exe); err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(exe), BuiltName)
	if _, err := os.Stat(beside); err != nil {
		return "", ErrNoBinary
	}
	return beside, nil
}
