package install

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnpackArchiveTakesWhatIsWanted(t *testing.T) {
	t.Parallel()
	archive, dir := filepath.Join(t.TempDir(), "a.tgz"), t.TempDir()
	f, err := os.Create(archive)
	require.NoError(t, err)
	zipped := gzip.NewWriter(f)
	files := tar.NewWriter(zipped)
	for _, name := range []string{"package/models/a.bin", "package/models/b.bin", "package/../../escape", "/etc/models/a.bin"} {
		require.NoError(t, files.WriteHeader(&tar.Header{Name: name, Size: 3, Mode: 0o644, Typeflag: tar.TypeReg}))
		_, err := files.Write([]byte("abc"))
		require.NoError(t, err)
	}
	require.NoError(t, files.WriteHeader(&tar.Header{Name: "package/link", Linkname: "/etc/passwd", Typeflag: tar.TypeSymlink}))
	require.NoError(t, files.Close())
	require.NoError(t, zipped.Close())
	require.NoError(t, f.Close())

	require.NoError(t, unpackArchive(archive, dir, map[string]bool{"models/a.bin": true, "link": true, "../escape": true}))
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if !entry.IsDir() {
			found = append(found, path)
		}
		return err
	}))
	require.Equal(t, []string{filepath.Join(dir, "models", "a.bin")}, found)
}
