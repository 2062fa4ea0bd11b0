package stacktest

import (
	"os"
	"testing"
)

// DataDir returns a data folder for an embedded stack, which is removed when tb ends. Unlike the folder of t.TempDir, it can be reached
// by the account that Postgres runs as under root.
func DataDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "plait-data-") //nolint:usetesting // a TempDir is closed to other accounts
	if err != nil {
		tb.Fatalf("stacktest: %v", err)
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Errorf("stacktest: %v", err)
		}
	})
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // G302: the account of Postgres passes through
		tb.Fatalf("stacktest: %v", err)
	}
	return dir
}

// TemporalBinary returns the Temporal server program that tests run.
func TemporalBinary(tb testing.TB) string {
	tb.Helper()
	binary, err := temporalBinary()
	if err != nil {
		tb.Fatalf("stacktest: %v", err)
	}
	return binary
}
