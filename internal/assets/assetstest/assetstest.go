// Package assetstest gives tests access to the fetched assets. A test that needs them fails without them; it is never skipped.
package assetstest

import (
	"os"
	"path/filepath"
	"testing"

	"plait/internal/assets"
)

// EnvDir is the environment variable with the asset folder of tests; the default is <module root>/build/assets.
const EnvDir = "PLAIT_ASSETS"

// Dir returns the asset folder for tests.
func Dir(tb testing.TB) string {
	tb.Helper()
	return Open(tb).Dir()
}

// Open opens the asset folder for tests.
func Open(tb testing.TB) *assets.Set {
	tb.Helper()
	set, err := assets.Open(Location())
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return set
}

// Location returns the path of the asset folder of tests, whether or not it exists.
func Location() string {
	if dir := os.Getenv(EnvDir); dir != "" {
		return dir
	}
	return filepath.Join(ModuleRoot(), "build", "assets")
}

// ModuleRoot returns the nearest folder with a go.mod at or above the working directory, which in a test is the folder of its package.
func ModuleRoot() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			panic("assetstest: no go.mod above the working directory")
		}
		dir = parent
	}
}
