package main

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackHoldsThePagesInOrderAndIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	var one, two bytes.Buffer
	require.NoError(t, pack(&one, os.DirFS("../small")))
	require.NoError(t, pack(&two, os.DirFS("../small")))
	require.True(t, bytes.Equal(one.Bytes(), two.Bytes()))

	z, err := zip.NewReader(bytes.NewReader(one.Bytes()), int64(one.Len()))
	require.NoError(t, err)
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
		kept, err := os.ReadFile("../small/" + f.Name)
		require.NoError(t, err)
		got, err := fs.ReadFile(z, f.Name)
		require.NoError(t, err)
		require.True(t, bytes.Equal(kept, got), f.Name)
	}
	require.Equal(t, []string{"01.png", "02.png", "03.png", "ComicInfo.xml"}, names)
}

func TestPackOfNoPagesFails(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, pack(&bytes.Buffer{}, os.DirFS(t.TempDir())), fs.ErrNotExist)
}
