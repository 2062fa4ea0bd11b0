package tempdir_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/tempdir"
)

const (
	prefix = "plait-test-"
	// parentOf is the environment variable with the parent of the folder that a child process makes.
	parentOf = "TEMPDIR_PARENT"
)

// TestMain is also a process that makes a folder with a file, prints its path, and waits to be killed.
func TestMain(m *testing.M) {
	parent := os.Getenv(parentOf)
	if parent == "" {
		os.Exit(m.Run())
	}
	d, err := tempdir.Make(parent, prefix)
	if err == nil {
		err = os.WriteFile(filepath.Join(d.Path, "video.mp4"), []byte("half"), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(d.Path)
	select {}
}

func TestTheFoldersOfKilledProcessesAreSwept(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	other := filepath.Join(parent, "other")
	require.NoError(t, os.Mkdir(other, 0o700))
	own, err := tempdir.Make(parent, prefix)
	require.NoError(t, err)

	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), parentOf+"="+parent)
	out, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	line := bufio.NewScanner(out)
	require.True(t, line.Scan(), "the child prints the path of its folder")
	path := line.Text()
	require.NoError(t, tempdir.Sweep(parent, prefix))
	require.FileExists(t, filepath.Join(path, "video.mp4"), "its process lives")

	require.NoError(t, child.Process.Kill())
	require.Error(t, child.Wait())
	require.NoError(t, tempdir.Sweep(parent, prefix))
	require.NoDirExists(t, path)
	require.DirExists(t, own.Path)
	require.DirExists(t, other)
	require.NoError(t, own.Remove())
	require.NoDirExists(t, own.Path)
}

func TestThereIsNoParent(t *testing.T) {
	t.Parallel()
	absent := filepath.Join(t.TempDir(), "absent")
	_, err := tempdir.Make(absent, prefix)
	require.Error(t, err)
	require.NoError(t, tempdir.Sweep(absent, prefix))
}
