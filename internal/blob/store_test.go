//nolint:thelper // the functions that take a store are tests, not helpers
package blob_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"plait/internal/blob"
	"plait/internal/core"
)

const maxBytes = 32 << 20

// damager replaces the stored bytes of a blob without using its store.
type damager func(t *testing.T, ref core.BlobRef, content []byte)

// conformance runs the tests that every store must pass.
func conformance(t *testing.T, store blob.Store, damage damager) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, blob.Store, damager){
		"round trip":          testRoundTrip,
		"seek":                testSeek,
		"missing":             testMissing,
		"too large":           testTooLarge,
		"corrupt":             testCorrupt,
		"faulty content":      testFaultyContent,
		"malformed reference": testMalformedReference,
		"canceled":            testCanceled,
		"concurrent":          testConcurrent,
		"check":               func(t *testing.T, s blob.Store, _ damager) { require.NoError(t, s.Check(t.Context())) },
	} {
		t.Run(name, func(t *testing.T) { test(t, store, damage) })
	}
}

func requireCode(t *testing.T, code core.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, core.CodeOf(err), "%v", err)
}

func refOf(content []byte) core.BlobRef { return core.NewBlobRef(sha256.Sum256(content)) }

func testSeek(t *testing.T, s blob.Store, damage damager) {
	content := bytes.Repeat([]byte("0123456789"), 100_000)
	ref, _, err := s.Put(t.Context(), bytes.NewReader(content), maxBytes)
	require.NoError(t, err)
	r, _, err := s.Open(t.Context(), ref)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	for _, offset := range []int64{999_990, 5, 0} { // the last one is checked again
		at, err := r.Seek(offset, io.SeekStart)
		require.NoError(t, err)
		require.Equal(t, offset, at)
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(content[offset:], rest))
	}
	damage(t, ref, append([]byte("x"), content[1:]...))
	damaged, _, err := s.Open(t.Context(), ref)
	require.NoError(t, err)
	defer func() { require.NoError(t, damaged.Close()) }()
	_, err = damaged.Seek(10, io.SeekStart)
	require.NoError(t, err)
	_, err = damaged.Seek(0, io.SeekStart)
	require.NoError(t, err)
	_, err = io.ReadAll(damaged)
	requireCode(t, core.CodeBlobCorrupt, err)
}

func testRoundTrip(t *testing.T, s blob.Store, _ damager) {
	for name, content := range map[string][]byte{
		"empty":  {},
		"small":  []byte("a page"),
		"larger": bytes.Repeat([]byte("0123456789abcdef"), 9<<16), // 9 MiB: more than spoolMemory
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // storing the same content again has the same result
				// HalfReader finds the same faults as OneByteReader, which would be slow here.
				ref, size, err := s.Put(t.Context(), iotest.HalfReader(bytes.NewReader(content)), maxBytes)
				require.NoError(t, err)
				require.Equal(t, refOf(content), ref)
				require.EqualValues(t, len(content), size)
			}
			ref := refOf(content)

			read, err := s.Read(t.Context(), ref, int64(len(content)))
			require.NoError(t, err)
			require.True(t, bytes.Equal(content, read))

			r, size, err := s.Open(t.Context(), ref)
			require.NoError(t, err)
			require.EqualValues(t, len(content), size)
			streamed, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.True(t, bytes.Equal(content, streamed))

			size, err = s.Stat(t.Context(), ref)
			require.NoError(t, err)
			require.EqualValues(t, len(content), size)

			require.NoError(t, s.Delete(t.Context(), ref))
			require.NoError(t, s.Delete(t.Context(), ref), "deleting twice is deleting once")
			_, err = s.Stat(t.Context(), ref)
			requireCode(t, core.CodeBlobMissing, err)
		})
	}
}

func testMissing(t *testing.T, s blob.Store, _ damager) {
	ref := refOf([]byte("never stored"))
	_, _, err := s.Open(t.Context(), ref)
	requireCode(t, core.CodeBlobMissing, err)
	_, err = s.Read(t.Context(), ref, maxBytes)
	requireCode(t, core.CodeBlobMissing, err)
	_, err = s.Stat(t.Context(), ref)
	requireCode(t, core.CodeBlobMissing, err)
	require.NoError(t, s.Delete(t.Context(), ref))
}

func testTooLarge(t *testing.T, s blob.Store, _ damager) {
	content := []byte("exactly twenty bytes")
	_, _, err := s.Put(t.Context(), bytes.NewReader(content), 19)
	requireCode(t, core.CodeTooLarge, err)
	_, err = s.Stat(t.Context(), refOf(content))
	requireCode(t, core.CodeBlobMissing, err)

	endless := io.MultiReader(strings.NewReader("x"), neverEnding('x'))
	_, _, err = s.Put(t.Context(), endless, 9<<20)
	requireCode(t, core.CodeTooLarge, err)

	_, _, err = s.Put(t.Context(), bytes.NewReader(content), -5)
	requireCode(t, core.CodeTooLarge, err)
	_, _, err = s.Put(t.Context(), bytes.NewReader(content), math.MaxInt64)
	require.NoError(t, err)
	ref, _, err := s.Put(t.Context(), bytes.NewReader(content), 20)
	require.NoError(t, err)
	_, err = s.Read(t.Context(), ref, 19)
	requireCode(t, core.CodeTooLarge, err)
}

type neverEnding byte

func (n neverEnding) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(n)
	}
	return len(b), nil
}

func testCorrupt(t *testing.T, s blob.Store, damage damager) {
	content := []byte("bytes that rot")
	for name, rotten := range map[string]string{"changed": "bytes that rut", "shorter": "bytes", "longer": "bytes that rot and grow"} {
		t.Run(name, func(t *testing.T) {
			ref, _, err := s.Put(t.Context(), bytes.NewReader(content), maxBytes)
			require.NoError(t, err)
			damage(t, ref, []byte(rotten))
			_, err = s.Read(t.Context(), ref, maxBytes)
			requireCode(t, core.CodeBlobCorrupt, err)
			streamed, err := stream(t, s, ref)
			requireCode(t, core.CodeBlobCorrupt, err)
			require.Less(t, len(streamed), len(rotten), "whoever counts the bytes knows, too")

			_, _, err = s.Put(t.Context(), bytes.NewReader(content), maxBytes)
			require.NoError(t, err)
			read, err := s.Read(t.Context(), ref, maxBytes)
			require.NoError(t, err, "storing again heals")
			require.Equal(t, content, read)
		})
	}
}

// stream opens a blob and reads it to its end or its first error.
func stream(t *testing.T, s blob.Store, ref core.BlobRef) ([]byte, error) {
	r, _, err := s.Open(t.Context(), ref)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(iotest.OneByteReader(r))
}

func testFaultyContent(t *testing.T, s blob.Store, _ damager) {
	fault := errors.New("the client went away")
	content := "half of"
	_, _, err := s.Put(t.Context(), io.MultiReader(strings.NewReader(content), iotest.ErrReader(fault)), maxBytes)
	require.ErrorIs(t, err, fault)
	_, err = s.Stat(t.Context(), refOf([]byte(content)))
	requireCode(t, core.CodeBlobMissing, err)
}

func testMalformedReference(t *testing.T, s blob.Store, _ damager) {
	for _, ref := range []core.BlobRef{"", "sha256:", "../../etc/passwd", "sha256:../../../../etc/passwd", core.BlobRef("sha256:" + strings.Repeat("A", 64))} {
		_, _, err := s.Open(t.Context(), ref)
		requireCode(t, core.CodeInvalidInput, err)
		_, err = s.Read(t.Context(), ref, maxBytes)
		requireCode(t, core.CodeInvalidInput, err)
		_, err = s.Stat(t.Context(), ref)
		requireCode(t, core.CodeInvalidInput, err)
		requireCode(t, core.CodeInvalidInput, s.Delete(t.Context(), ref))
	}
}

func testCanceled(t *testing.T, s blob.Store, _ damager) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ref := refOf([]byte("x"))
	_, _, err := s.Put(ctx, strings.NewReader("canceled"), maxBytes)
	require.ErrorIs(t, err, context.Canceled)
	_, _, err = s.Open(ctx, ref)
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Stat(ctx, ref)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, s.Delete(ctx, ref), context.Canceled)
	require.ErrorIs(t, s.Check(ctx), context.Canceled)
}

func testConcurrent(t *testing.T, s blob.Store, _ damager) {
	content := bytes.Repeat([]byte("shared page "), 1000)
	var writers sync.WaitGroup
	failures := make(chan error, 16)
	for range cap(failures) {
		writers.Go(func() {
			ref, _, err := s.Put(t.Context(), bytes.NewReader(content), maxBytes)
			if err == nil {
				_, err = s.Read(t.Context(), ref, maxBytes)
			}
			failures <- err
		})
	}
	writers.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
}
