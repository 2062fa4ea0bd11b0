package stacktest

import (
	"os"
	"testing"
	"time"
)

// DataDir returns a data folder for an embedded stack, which is removed when tb ends. Unlike the folder of t.TempDir, it can be reached
// by the account that Postgres runs as under root.
func DataDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "plait-data-") //nolint:usetesting // a TempDir is closed to other accounts
	if err != nil {
		tb.Fatalf("stacktest: %v", err)
	}
	tb.Cleanup(func() { remove(tb, dir) })
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // G302: the account of Postgres passes through
		tb.Fatalf("stacktest: %v", err)
	}
	return dir
}

// remove removes a data folder. It tries again for a while: if a test has killed Postgres, some of its processes may still write there
// until they see that their parent is gone.
func remove(tb testing.TB, dir string) {
	tb.Helper()
	tooLong := time.After(30 * time.Second)
	for {
		err := os.RemoveAll(dir)
		if err == nil {
			return
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-tooLong:
			tb.Errorf("stacktest: %v", err)
			return
		}
	}
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
