package files

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
)

func write(t *testing.T, path, content string) string {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// resultOf returns a function that streams a CBZ of one page.
func resultOf(t *testing.T) func(io.Writer) error {
	t.Helper()
	page := write(t, filepath.Join(t.TempDir(), "01.png"), "translated")
	return func(w io.Writer) error {
		return archive.Write(t.Context(), w, []archive.File{{Name: "01.png", Open: func() (io.ReadCloser, error) { return os.Open(page) }}})
	}
}

// A later command on a folder must not translate, and pay for, a result that is among the originals.
func TestAResultIsNeverTakenForOriginals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := write(t, filepath.Join(dir, "01.png"), "original")
	u, err := OpenUpload([]string{page})
	require.NoError(t, err)
	r, err := ResultFor(u, "en", "", "")
	require.NoError(t, err)
	require.NoError(t, r.Write(t.Context(), "task", archive.DefaultLimits(), resultOf(t)))
	require.FileExists(t, filepath.Join(dir, "01.en", "01.png"))

	u, err = OpenUpload([]string{dir})
	require.NoError(t, err)
	require.Len(t, u.Files, 1)
	require.Equal(t, page, u.Files[0].Path)
	in := List([]string{dir}, archive.DefaultLimits())
	require.Len(t, in.List, 1)
}

func TestOnePageIsWrittenAsItsImage(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "one.png")
	r, err := ResultOf(out)
	require.NoError(t, err)
	require.NoError(t, r.Write(t.Context(), "task", archive.DefaultLimits(), resultOf(t)))
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, "translated", string(b))
}

func TestAnArchiveIsKnownByItsContent(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	u, err := OpenUpload([]string{write(t, filepath.Join(dir, "zip.cbr"), "PK\x03\x04")})
	require.NoError(t, err)
	require.True(t, u.Archive)
	for name, content := range map[string]string{"a.cbr": "Rar!\x1a\x07\x00", "a.cb7": "7z\xbc\xaf\x27\x1c", "a.pdf": "%PDF-1.7"} {
		_, err := OpenUpload([]string{write(t, filepath.Join(dir, name), content)})
		require.ErrorContains(t, err, "is not read; convert it to CBZ", name)
	}
}

func TestWhereAResultWasWrittenIsRemembered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Empty(t, Remembered(dir, "a"))
	require.NoError(t, Remember(dir, "a", Result{File: "/x/book.en.cbz"}))
	require.Equal(t, Result{File: "/x/book.en.cbz"}, Remembered(dir, "a"))
}
