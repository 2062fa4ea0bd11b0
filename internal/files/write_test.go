package files

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFaultOfAFileIsToldByTheNameThatWasGivenAndLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "book.en.cbz")
	err := replace(path, func(f *os.File) error {
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

func TestAFileIsParsedWithinItsBoundAndItsFaultsNameIt(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "number")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	number := func(b []byte) (int, error) { return strconv.Atoi(string(b)) }
	content, parsed, err := Parse(path, 5, number)
	require.NoError(t, err)
	require.Equal(t, "12345", string(content))
	require.Equal(t, 12345, parsed)
	_, parsed, err = Parse(path, 3, number)
	require.NoError(t, err)
	require.Equal(t, 1234, parsed, "one byte more than the bound tells that the file is longer")
	require.NoError(t, os.WriteFile(path, []byte("many"), 0o600))
	_, _, err = Parse(path, 5, number)
	require.ErrorContains(t, err, path+": ")
	_, _, err = Parse(filepath.Join(t.TempDir(), "absent"), 5, number)
	require.ErrorContains(t, err, "absent: no such file")
}
