package archive_test

import (
	"archive/zip"
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/archive"
	"plait/internal/core"
)

// build builds an archive from any headers and contents, without checks.
type build struct {
	t   *testing.T
	buf bytes.Buffer
	w   *zip.Writer
}

func newBuild(t *testing.T) *build {
	t.Helper()
	b := &build{t: t}
	b.w = zip.NewWriter(&b.buf)
	return b
}

func (b *build) add(name, content string) *build {
	return b.addHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}, content)
}

func (b *build) addHeader(h *zip.FileHeader, content string) *build {
	w, err := b.w.CreateHeader(h)
	require.NoError(b.t, err)
	_, err = io.WriteString(w, content)
	require.NoError(b.t, err)
	return b
}

// addRaw writes the header unchanged, even if it does not match the packed data.
func (b *build) addRaw(h *zip.FileHeader, packed []byte) *build {
	w, err := b.w.CreateRaw(h)
	require.NoError(b.t, err)
	_, err = w.Write(packed)
	require.NoError(b.t, err)
	return b
}

func (b *build) bytes() []byte {
	require.NoError(b.t, b.w.Close())
	return b.buf.Bytes()
}

func open(b []byte, l archive.Limits) (*archive.Archive, error) {
	return archive.Open(bytes.NewReader(b), int64(len(b)), l)
}

func requireCode(t *testing.T, code core.Code, err error, words string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, core.CodeOf(err), "%v", err)
	require.Contains(t, core.PublicMessage(err), words)
}

// readAll reads an entry to its end.
func readAll(t *testing.T, a *archive.Archive, name string) ([]byte, error) {
	t.Helper()
	r, err := a.Open(name)
	require.NoError(t, err)
	defer r.Close()
	return io.ReadAll(r)
}

func names(entries []archive.Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.Name)
	}
	return out
}

func pages(a *archive.Archive) []archive.Entry {
	return slices.DeleteFunc(a.Entries(), func(e archive.Entry) bool { return !e.Page })
}
