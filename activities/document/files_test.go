package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/blob"
	"plait/internal/core"
	"plait/internal/document/engine"
	"plait/internal/document/pdf"
	"plait/internal/document/pdftest"
	"plait/internal/onnx"
)

// library is a store with PDF files of one page, and the files that are open of it.
type library struct {
	*files
	refs []core.BlobRef
}

func newLibrary(t *testing.T, documents, open int) library {
	t.Helper()
	blobs, err := blob.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	cache := filepath.Join(os.TempDir(), fmt.Sprintf("plait-pdfium-%d", os.Getuid()))
	e, err := engine.Open(engine.Config{Assets: assetstest.Open(t), CacheDir: cache, Workers: open, Threads: 1, Device: onnx.CPU, Confidence: 0.4})
	require.NoError(t, err)
	l := library{files: newFiles(blobs, e, open)}
	t.Cleanup(func() { require.NoError(t, errors.Join(l.close(), e.Close())) })
	for n := range documents {
		b := pdftest.New()
		b.Page(pdftest.Page{Fonts: map[string]pdftest.Ref{"F": b.Helvetica()}, Content: fmt.Sprintf("BT /F 12 Tf 72 700 Td (File %d) Tj ET", n)})
		ref, _, err := blobs.Put(t.Context(), bytes.NewReader(b.Bytes()), 1<<20)
		require.NoError(t, err)
		l.refs = append(l.refs, ref)
	}
	return l
}

// use returns the file that a step got, and its text.
func (l library) use(t *testing.T, n int) (used *pdf.File, text string) {
	t.Helper()
	require.NoError(t, l.with(t.Context(), l.refs[n], func(f *openFile) (err error) {
		used = f.File
		text, err = f.Text(t.Context(), 0)
		return err
	}))
	return used, text
}

func TestAFileStaysOpenForTheNextPage(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, 3, 2)
	first, text := l.use(t, 0)
	require.Contains(t, text, "File 0")
	again, _ := l.use(t, 0)
	require.Same(t, first, again)
	l.use(t, 1)
	again, _ = l.use(t, 0)
	require.Same(t, first, again, "two files are open")
	_, text = l.use(t, 2)
	require.Contains(t, text, "File 2")
	require.Len(t, l.idle, 2, "the one that was used longest ago is closed for the third")
	again, _ = l.use(t, 0)
	require.Same(t, first, again)
	other, _ := l.use(t, 1)
	require.NotSame(t, first, other)
}

func TestAFileThatFailedIsNotUsedAgain(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, 1, 1)
	first, _ := l.use(t, 0)
	broken := core.NewError(core.CodeInvalidDocument, "broken")
	require.ErrorIs(t, l.with(t.Context(), l.refs[0], func(*openFile) error { return broken }), broken)
	require.Empty(t, l.idle)
	again, _ := l.use(t, 0)
	require.NotSame(t, first, again)
}

func TestAStepWaitsForRoom(t *testing.T) {
	t.Parallel()
	l := newLibrary(t, 1, 1)
	require.NoError(t, l.with(t.Context(), l.refs[0], func(*openFile) error {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(context.Canceled)
		require.ErrorIs(t, l.with(ctx, l.refs[0], func(*openFile) error { return nil }), context.Canceled, "the only file is in use")
		return nil
	}))
	missing := core.BlobRef("sha256:" + fmt.Sprintf("%064d", 1))
	require.Equal(t, core.CodeBlobMissing, core.CodeOf(l.with(t.Context(), missing, func(*openFile) error { return nil })))
}
