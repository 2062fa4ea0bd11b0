package blob_test

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/stretchr/testify/require"

	"plait/internal/blob"
	"plait/internal/core"
)

// serveS3 runs an S3 server with one bucket in this process.
func serveS3(t *testing.T) (backend *s3mem.Backend, address string) {
	t.Helper()
	backend = s3mem.New()
	require.NoError(t, backend.CreateBucket("chapters"))
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "test")
	return backend, server.URL
}

func TestS3Conforms(t *testing.T) {
	backend, address := serveS3(t)
	s, err := blob.Open(t.Context(), "s3://chapters/some/prefix?region=us-east-1&endpoint="+address)
	require.NoError(t, err)
	conformance(t, s, func(t *testing.T, ref core.BlobRef, content []byte) {
		t.Helper()
		_, err := backend.PutObject("chapters", "some/prefix/sha256/"+ref.Hex(), map[string]string{}, bytes.NewReader(content), int64(len(content)), nil)
		require.NoError(t, err)
	})
}

func TestS3OutOfReachIsUnavailable(t *testing.T) {
	_, address := serveS3(t)
	missing, err := blob.Open(t.Context(), "s3://no-such-bucket?region=us-east-1&endpoint="+address)
	require.NoError(t, err)
	requireCode(t, core.CodeUnavailable, missing.Check(t.Context()))
	_, _, err = missing.Put(t.Context(), strings.NewReader("x"), maxBytes)
	requireCode(t, core.CodeUnavailable, err)
}
