package blob_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"plait/internal/blob"
	"plait/internal/core"
)

func openLocal(t *testing.T) (blob.Store, string) {
	t.Helper()
	root := filepath.Join(t.TempDir(), "blobs")
	s, err := blob.Open(t.Context(), "file://"+root)
	require.NoError(t, err)
	return s, root
}

// files returns the paths of all regular files below root.
func files(t *testing.T, root string) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

func TestLocalConforms(t *testing.T) {
	s, root := openLocal(t)
	conformance(t, s, func(t *testing.T, ref core.BlobRef, content []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(root, ref.Hex()[:2], ref.Hex()), content, 0o600))
	})
	for _, path := range files(t, filepath.Join(root, "tmp")) {
		require.Fail(t, "an unfinished file is left", path)
	}
}

func TestLocalIsPrivate(t *testing.T) {
	t.Parallel()
	s, root := openLocal(t)
	_, _, err := s.Put(t.Context(), strings.NewReader("private"), maxBytes)
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, "%s: %s", path, info.Mode())
		return nil
	}))
}

// Open removes the unfinished file of a killed process, and keeps that of a live process.
func TestLocalSweepsTheFilesOfDeadWriters(t *testing.T) {
	t.Parallel()
	s, root := openLocal(t)
	dead := filepath.Join(root, "tmp", "put-dead")
	require.NoError(t, os.WriteFile(dead, []byte("half"), 0o600))
	content, write := io.Pipe()
	stored := make(chan error, 1)
	go func() {
		_, _, err := s.Put(t.Context(), content, maxBytes)
		stored <- err
	}()
	_, err := write.Write([]byte("half")) // returns when Put has created its file and reads
	require.NoError(t, err)

	_, err = blob.Open(t.Context(), root)
	require.NoError(t, err)
	left := files(t, root)
	require.Len(t, left, 1)
	require.NotEqual(t, dead, left[0])

	_, err = write.Write([]byte(" and half"))
	require.NoError(t, err)
	require.NoError(t, write.Close())
	require.NoError(t, <-stored)
	require.Equal(t, []string{filepath.Join(root, refOf([]byte("half and half")).Hex()[:2], refOf([]byte("half and half")).Hex())}, files(t, root))
}

func TestLocalNamesTheContentOnlyWhenItIsWhole(t *testing.T) {
	t.Parallel()
	s, root := openLocal(t)
	_, _, err := s.Put(t.Context(), iotest.ErrReader(errors.New("gone")), maxBytes)
	require.Error(t, err)
	require.Empty(t, files(t, root))
}

func TestLocalFaultsAreUnavailable(t *testing.T) {
	t.Parallel()
	s, root := openLocal(t)
	require.NoError(t, os.RemoveAll(filepath.Join(root, "tmp")))
	_, _, err := s.Put(t.Context(), strings.NewReader("x"), maxBytes)
	requireCode(t, core.CodeUnavailable, err)
	requireCode(t, core.CodeUnavailable, s.Check(t.Context()))

	occupied := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(occupied, nil, 0o600))
	_, err = blob.Open(t.Context(), filepath.Join(occupied, "blobs"))
	requireCode(t, core.CodeUnavailable, err)
	require.ErrorIs(t, err, syscall.ENOTDIR)
}

func TestOpenRefusesMalformedLocations(t *testing.T) {
	t.Parallel()
	for _, location := range []string{
		"", "ftp://host/path", "file://host/path", "file://", "s3://", "s3://bucket?endpoint=ftp://x", "s3://bucket?key=1",
		"s3://bucket?endpoint=http://host/path",
	} {
		t.Run(location, func(t *testing.T) {
			t.Parallel()
			_, err := blob.Open(t.Context(), location)
			requireCode(t, core.CodeInvalidInput, err)
		})
	}
}
