package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"time"

	"plait/internal/core"
)

// Store stores blobs. Several goroutines and several processes can use the same store at the same time.
//
// Every method fails with CodeInvalidInput for a malformed reference, with CodeUnavailable when the store cannot be reached, is full or
// is not writable, and with the context's error when the context ends.
type Store interface {
	// Put stores the content of r, and returns its reference and its size in bytes. It fails with CodeTooLarge when r has more than
	// maxBytes, and wraps an error of r. A failed Put stores nothing. Put writes content that exists already again, which repairs a
	// damaged copy.
	Put(ctx context.Context, r io.Reader, maxBytes int64) (core.BlobRef, int64, error)
	// Open returns a stream of the blob, and its size in bytes. It fails with CodeBlobMissing when there is no such blob. A stream that is
	// read from its start fails with CodeBlobCorrupt, before its last byte, when the content does not match ref; one that is read from
	// another offset is not checked.
	Open(ctx context.Context, ref core.BlobRef) (io.ReadSeekCloser, int64, error)
	// Read returns the whole blob, after a check of its hash. It fails with CodeBlobMissing, with CodeBlobCorrupt, or with CodeTooLarge
	// when the blob has more than maxBytes.
	Read(ctx context.Context, ref core.BlobRef, maxBytes int64) ([]byte, error)
	// Stat returns the size of a blob in bytes. It fails with CodeBlobMissing when there is no such blob.
	Stat(ctx context.Context, ref core.BlobRef) (int64, error)
	// Delete removes a blob. It returns nil when there is no such blob.
	Delete(ctx context.Context, ref core.BlobRef) error
	// Check tests whether the store is writable: it writes and removes a small file.
	Check(ctx context.Context) error
}

// Copy writes a blob to w. It fails as [Store.Open] does, and with the errors of the stream and of w.
func Copy(ctx context.Context, w io.Writer, s Store, ref core.BlobRef) error {
	r, _, err := s.Open(ctx, ref)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, r.Close())
}

// Linker is a store from which clients can fetch blobs directly.
type Linker interface {
	// Link returns a URL that gives the blob to anybody until its lifetime of at most seven days ends. The answer has the content type
	// and the Content-Disposition.
	Link(ctx context.Context, ref core.BlobRef, lifetime time.Duration, contentType, disposition string) (string, error)
}

// Open opens the store at a location: an absolute or relative path, file:///path, or
// s3://bucket/prefix?endpoint=http://host:port&region=name. A missing folder is created; a missing bucket is not. The default endpoint
// is that of Amazon S3. Credentials for S3 come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, or from the role of
// the machine.
//
// Errors: CodeInvalidInput for a malformed location; CodeUnavailable for a folder that cannot be used.
func Open(ctx context.Context, location string) (Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	u, err := url.Parse(location)
	if err != nil || u.Scheme == "" || filepath.IsAbs(location) || filepath.VolumeName(location) != "" {
		if location == "" {
			return nil, core.NewError(core.CodeInvalidInput, "the blob store has no location")
		}
		return openLocal(location)
	}
	switch u.Scheme {
	case "file":
		if u.Path == "" || (u.Host != "" && u.Host != "localhost") {
			return nil, core.NewError(core.CodeInvalidInput, "a blob store in a folder is written file:///path")
		}
		return openLocal(filepath.FromSlash(u.Path))
	case "s3":
		return openS3(u)
	default:
		return nil, core.Errorf(core.CodeInvalidInput, "the location of a blob store is a path, file:// or s3://, not %q", u.Scheme)
	}
}

func missing(ref core.BlobRef) error {
	return core.Errorf(core.CodeBlobMissing, "blob %s does not exist", ref)
}

func tooLarge(maxBytes int64) error {
	return core.Errorf(core.CodeTooLarge, "the content has more than %d bytes", maxBytes)
}

func unavailable(err error, what string) error {
	return core.Wrap(core.CodeUnavailable, err, what)
}

// source reads the content of a Put. It counts, hashes and bounds the bytes, and keeps its error, so that Put can distinguish a failed
// read from a failed write.
type source struct {
	ctx  context.Context
	r    io.Reader
	left int64 // bytes that may still be read; negative after too many
	max  int64
	hash interface {
		io.Writer
		Sum([]byte) []byte
	}
	err error
}

func newSource(ctx context.Context, r io.Reader, maxBytes int64) *source {
	maxBytes = max(maxBytes, 0)
	return &source{ctx: ctx, r: r, left: maxBytes, max: maxBytes, hash: sha256.New()}
}

func (s *source) Read(b []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return 0, s.err
	}
	if int64(len(b))-1 > s.left { // read one byte more than is left, to detect excess content
		b = b[:s.left+1]
	}
	n, err := s.r.Read(b)
	if s.left -= int64(n); s.left < 0 {
		s.err = tooLarge(s.max)
		return 0, s.err
	}
	_, _ = s.hash.Write(b[:n]) // writing to a hash never fails
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = fmt.Errorf("read the content of a blob: %w", err)
		return n, s.err
	}
	return n, err
}

func (s *source) size() int64 { return s.max - s.left }

func (s *source) ref() core.BlobRef { return core.NewBlobRef([32]byte(s.hash.Sum(nil))) }

// readChecked implements Read for every store with its Open.
func readChecked(ctx context.Context, s Store, ref core.BlobRef, maxBytes int64) ([]byte, error) {
	r, size, err := s.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if size > maxBytes {
		return nil, tooLarge(maxBytes)
	}
	b := make([]byte, size)
	_, err = io.ReadFull(r, b)
	if err == nil {
		_, err = r.Read(make([]byte, 1)) // the hash of an empty blob is checked at the end of the stream
	}
	switch {
	case errors.Is(err, io.EOF):
		return b, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case core.CodeOf(err) == core.CodeBlobCorrupt:
		return nil, err
	default:
		return nil, unavailable(err, "a blob cannot be read")
	}
}
