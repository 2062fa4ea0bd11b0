package onnx_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/onnx"
)

// envWatched makes this test binary the process in which TestTheLibraryReportsToNobody runs a model.
const envWatched = "PLAIT_TEST_WATCHED"

// While a model is loaded and run, the library must not write to the user's folders or open a socket.
func TestTheLibraryReportsToNobody(t *testing.T) {
	if os.Getenv(envWatched) != "" {
		runWatched(t)
		return
	}
	t.Parallel()
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = []string{
		envWatched + "=1", "TMPDIR=" + t.TempDir(), "HOME=" + home,
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_DATA_HOME=" + filepath.Join(home, "data"),
	}
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)

	var left []string
	require.NoError(t, filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		if path != home {
			left = append(left, path)
		}
		return err
	}))
	require.Empty(t, left)
}

func runWatched(t *testing.T) {
	t.Helper()
	pool := load(t, []float32{2}, 1)
	out := onnx.NewTensor(1, 1)
	for range 100 {
		require.NoError(t, pool.Run(t.Context(), []onnx.Tensor{{Shape: []int64{1, 1}, Data: []float32{3}}}, []onnx.Tensor{out}))
		require.Empty(t, openSockets(t))
	}
}

// openSockets returns the file descriptors of this process that are sockets.
func openSockets(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	require.NoError(t, err)
	var sockets []string
	for _, entry := range entries {
		// One entry is the descriptor of the folder itself, which is closed by now.
		if info, err := os.Stat(filepath.Join("/dev/fd", entry.Name())); err == nil && info.Mode()&fs.ModeSocket != 0 {
			sockets = append(sockets, fmt.Sprintf("%s (%s)", entry.Name(), info.Mode()))
		}
	}
	return sockets
}
