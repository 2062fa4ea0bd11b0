package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFaultOfAFileIsToldByTheNameThatWasGivenAndLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "book.en.cbz")
	err := placeFile(path, func(f *os.File) error {
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
	require.NoError(t, target{archive: filepath.Join(dir, "a", "b", "x.cbz"), folder: filepath.Join(dir, "c", "d")}.check(nil))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}
