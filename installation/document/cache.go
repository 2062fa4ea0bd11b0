package documentinstallation

import (
	"os"
	"path/filepath"
	"syscall"

	"plait/internal/config"
)

// cacheDir is the private folder for the compiled PDFium: in the data folder, if there is one, or else with the temporary files. It is empty
// when the folder cannot be made or belongs to somebody else, who could put code into it.
func cacheDir(l *config.Loaded) string {
	parent := l.DataDir
	if _, err := os.Stat(parent); err != nil {
		parent = os.TempDir()
	}
	dir, err := filepath.Abs(filepath.Join(parent, "pdfium"))
	if err != nil {
		return ""
	}
	if err := os.MkdirAll(dir, 0o700); err != nil || !private(dir) {
		return ""
	}
	return dir
}

// private reports whether a folder belongs to this user, and nobody else can write into it.
func private(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
