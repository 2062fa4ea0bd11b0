package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFaultOfAFileIsToldByTheNameThatWasGivenAndLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "book.en.cbz")
	err := place(path, func(f *os.File) error {
		require.NoError(t, f.Close())
		_, err := f.WriteString("x")
		return err
	})
	require.EqualError(t, err, path+": file already closed")
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAPlaceIsCheckedAndNotMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, Result{File: filepath.Join(dir, "a", "b", "x.cbz"), Folder: filepath.Join(dir, "c", "d")}.Check(nil))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
