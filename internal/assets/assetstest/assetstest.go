// Package assetstest gives tests the fetched assets. A test that needs them fails without them; it is never skipped.
package assetstest

import (
	"os"
	"path/filepath"
	"testing"

	"plait/internal/assets"
)

// EnvDir names another asset folder than <module root>/build/assets.
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

// Location is where the assets of tests are looked for, present or not.
func Location() string {
	if dir := os.Getenv(EnvDir); dir != "" {
		return dir
	}
	return filepath.Join(ModuleRoot(), "build", "assets")
}

// ModuleRoot is the folder of the go.mod above the working directory, which is the folder of the tested package.
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
