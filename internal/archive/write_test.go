package archive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/core"
)

func file(name, content string, store bool) archive.File {
	return archive.File{Name: name, Store: store, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(content)), nil
	}}
}

func TestWriteRoundTrip(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789abcdef", 9<<16) // 9 MiB: more than Write buffers
	files := []archive.File{
		file("第1話/表紙.jpg", "cover", true),
		file("ComicInfo.xml", "<ComicInfo/>", false),
		file("empty.txt", "", false),
		file("empty.jpg", "", true),
		file("big.bmp", big, true),
	}
	var once, twice bytes.Buffer
	require.NoError(t, archive.Write(t.Context(), &once, files))
	require.NoError(t, archive.Write(t.Context(), &twice, files))
	require.True(t, bytes.Equal(once.Bytes(), twice.Bytes()), "the same files give the same bytes")

	a, err := open(once.Bytes(), archive.Limits{})
	require.NoError(t, err)
	require.Equal(t, []string{"第1話/表紙.jpg", "ComicInfo.xml", "empty.txt", "empty.jpg", "big.bmp"}, names(a.Entries()))
	for _, f := range files {
		got, err := readAll(t, a, f.Name)
		require.NoError(t, err)
		r, err := f.Open()
		require.NoError(t, err)
		want, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), f.Name)
	}
	flags := once.Bytes()[6]
	require.Zero(t, flags&8, "a stored page has its size before its bytes")
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	fault := errors.New("storage went away")
	broken := archive.File{Name: "1.jpg", Open: func() (io.ReadCloser, error) { return nil, fault }}
	err := archive.Write(t.Context(), io.Discard, []archive.File{broken})
	require.ErrorIs(t, err, fault)
	require.ErrorContains(t, err, "1.jpg")

	err = archive.Write(t.Context(), io.Discard, []archive.File{file("../1.jpg", "", true)})
	requireCode(t, core.CodeInvalidArchive, err, "outside")
	err = archive.Write(t.Context(), io.Discard, []archive.File{file("1.jpg", "", true), file("1.JPG", "", true)})
	requireCode(t, core.CodeInvalidArchive, err, "two entries")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, archive.Write(ctx, io.Discard, []archive.File{file("1.jpg", "", true)}), context.Canceled)
}
