// Package ffmpegtest gives tests the pinned ffmpeg, and clips that it makes. A test that needs it fails without it; it is never skipped.
package ffmpegtest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"plait/internal/assets/assetstest"
	"plait/internal/video/ffmpeg"
)

// Path returns the path of the pinned program, whatever is on the PATH.
func Path(tb testing.TB) string {
	tb.Helper()
	path, err := ffmpeg.Fetched(assetstest.Location())
	if err != nil {
		tb.Fatalf("%v", err)
	}
	return path
}

// Program returns the pinned program.
func Program(tb testing.TB) *ffmpeg.Program {
	tb.Helper()
	return ffmpeg.New(Path(tb), ffmpeg.DefaultLimits)
}

// Make runs the program with these arguments, the last of which names a file, in a new folder, and returns the path of the file.
func Make(tb testing.TB, args ...string) string {
	tb.Helper()
	dir := tb.TempDir()
	cmd := exec.CommandContext(tb.Context(), Path(tb), append([]string{"-v", "error", "-nostdin"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	return filepath.Join(dir, args[len(args)-1])
}
