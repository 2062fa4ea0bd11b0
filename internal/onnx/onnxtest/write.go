// Package onnxtest has what tests of models share.
package onnxtest

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

// Write writes content to a file with this name in a temporary folder of the test, and returns its path and SHA-256.
func Write(tb testing.TB, name string, content []byte) (path, digest string) {
	tb.Helper()
	path = filepath.Join(tb.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		tb.Fatal(err)
	}
	sum := sha256.Sum256(content)
	return path, hex.EncodeToString(sum[:])
}
