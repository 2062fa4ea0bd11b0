package stacktest

import (
	"os"
	"testing"
)

// DataDir returns a data folder for an embedded stack, removed when t ends. Unlike t.TempDir, the account that Postgres runs as
// under root can walk to it.
func DataDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "plait-data-")
	if err != nil {
		t.Fatalf("stacktest: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("stacktest: %v", err)
		}
	})
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatalf("stacktest: %v", err)
	}
	return dir
}

// TemporalBinary returns the Temporal server program that tests run.
func TemporalBinary(t testing.TB) string {
	t.Helper()
	binary, err := temporalBinary()
	if err != nil {
		t.Fatalf("stacktest: %v", err)
	}
	return binary
}
