package blob_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/blob"
	"plait/internal/blob/s3test"
	"plait/internal/core"
)

func openS3(t *testing.T) (blob.Store, *s3test.Server) {
	t.Helper()
	server := s3test.Start(t)
	s, err := blob.Open(t.Context(), server.Location("some/prefix"))
	require.NoError(t, err)
	return s, server
}

func TestS3Conforms(t *testing.T) {
	s, server := openS3(t)
	conformance(t, s, func(t *testing.T, ref core.BlobRef, content []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(server.Folder, "some", "prefix", "sha256", ref.Hex()), content, 0o600))
	})
}

func TestS3OutOfReachIsUnavailable(t *testing.T) {
	server := s3test.Start(t)
	missing, err := blob.Open(t.Context(), strings.Replace(server.Location(""), s3test.Bucket, "no-such-bucket", 1))
	require.NoError(t, err)
	requireCode(t, core.CodeUnavailable, missing.Check(t.Context()))
	_, _, err = missing.Put(t.Context(), strings.NewReader("x"), maxBytes)
	requireCode(t, core.CodeUnavailable, err)
}

// A fault that passes is not seen; one that stays is UNAVAILABLE, leaves no blob behind, and never passes for content.
func TestS3Faults(t *testing.T) {
	s, server := openS3(t)
	content := bytes.Repeat([]byte("0123456789"), 50_000)
	ref, _, err := s.Put(t.Context(), bytes.NewReader(content), maxBytes)
	require.NoError(t, err)
	all := func() ([]byte, error) { return s.Read(t.Context(), ref, maxBytes) }

	t.Run("busy for a moment", func(t *testing.T) {
		var refused atomic.Int32
		inject(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			if refused.Add(1) <= 2 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
		got, err := all()
		require.NoError(t, err)
		require.True(t, bytes.Equal(content, got))
	})
	t.Run("busy", func(t *testing.T) {
		inject(t, server, func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		_, err := all()
		requireCode(t, core.CodeUnavailable, err)
		_, _, err = s.Put(t.Context(), strings.NewReader("another"), maxBytes)
		requireCode(t, core.CodeUnavailable, err)
	})
	t.Run("cut", func(t *testing.T) {
		inject(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			next.ServeHTTP(&cutWriter{ResponseWriter: w, left: 100_000}, r)
		})
		_, err := all()
		requireCode(t, core.CodeUnavailable, err)
	})
	t.Run("silent", func(t *testing.T) {
		inject(t, server, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := s.Read(ctx, ref, maxBytes)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
	t.Run("other bytes", func(t *testing.T) {
		inject(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Code)
			_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte("45"), []byte("54")))
		})
		_, err := all()
		requireCode(t, core.CodeBlobCorrupt, err)
	})
	t.Run("other bytes on the way to it", func(t *testing.T) {
		const text = "what the client sends"
		inject(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			r.Body = io.NopCloser(bytes.NewReader(bytes.ReplaceAll(body, []byte("client"), []byte("attack"))))
			next.ServeHTTP(w, r)
		})
		_, _, err := s.Put(t.Context(), strings.NewReader(text), maxBytes)
		requireCode(t, core.CodeUnavailable, err)
		server.Inject(nil)
		_, err = s.Stat(t.Context(), refOf([]byte(text)))
		requireCode(t, core.CodeBlobMissing, err)
	})
}

// inject wraps the server for the rest of the test.
func inject(t *testing.T, server *s3test.Server, fault func(w http.ResponseWriter, r *http.Request, next http.Handler)) {
	t.Helper()
	server.Inject(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fault(w, r, next) })
	})
	t.Cleanup(func() { server.Inject(nil) })
}

// cutWriter breaks the connection after some bytes.
type cutWriter struct {
	http.ResponseWriter
	left int
}

func (w *cutWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		panic(http.ErrAbortHandler)
	}
	return w.ResponseWriter.Write(b)
}

// A presigned link gives the blob to a client without credentials, under the type and the name that it says.
func TestS3Links(t *testing.T) {
	s, _ := openS3(t)
	ref, _, err := s.Put(t.Context(), strings.NewReader("a page"), maxBytes)
	require.NoError(t, err)
	link, err := s.(blob.Linker).Link(t.Context(), ref, time.Minute, "image/png", `attachment; filename=1.png`)
	require.NoError(t, err)
	status, header, body := getPart(t, link, "bytes=2-")
	require.Equal(t, http.StatusPartialContent, status)
	require.Equal(t, "image/png", header.Get("Content-Type"))
	require.Equal(t, `attachment; filename=1.png`, header.Get("Content-Disposition"))
	require.Equal(t, "page", body)
	status, _, _ = getPart(t, strings.Replace(link, "image", "text", 1), "")
	require.Equal(t, http.StatusForbidden, status)

	_, err = s.(blob.Linker).Link(t.Context(), "sha256:../x", time.Minute, "image/png", "")
	requireCode(t, core.CodeInvalidInput, err)
}

func getPart(t *testing.T, link, part string) (status int, header http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	require.NoError(t, err)
	req.Header.Set("Range", part)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, resp.Header, string(b)
}
