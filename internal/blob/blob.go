package blob

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"plait/internal/core"
)

// Store is a place for blobs. Its methods are safe for concurrent use and for use by several processes. A malformed
// reference is CodeInvalidInput; a store that cannot be reached, is full or may not be written is CodeUnavailable; and
// every method ends with the context's error when the context does.
type Store interface {
	// Put stores what r gives, up to its end, and answers its name and its size in bytes. More than maxBytes is
	// CodeTooLarge. An error of r comes back wrapped. After any error nothing new is stored. Content that is stored
	// already is stored again, which heals a damaged copy.
	Put(ctx context.Context, r io.Reader, maxBytes int64) (core.BlobRef, int64, error)
	// Open streams a blob and answers its size. CodeBlobMissing when it is not there. The stream ends with CodeBlobCorrupt,
	// before its last byte, when the bytes do not have the blob's name.
	Open(ctx context.Context, ref core.BlobRef) (io.ReadCloser, int64, error)
	// Read is the whole blob with its hash checked: CodeBlobMissing, CodeBlobCorrupt, or CodeTooLarge when it has more
	// than maxBytes.
	Read(ctx context.Context, ref core.BlobRef, maxBytes int64) ([]byte, error)
	// Stat is the size of a blob in bytes. CodeBlobMissing when it is not there.
	Stat(ctx context.Context, ref core.BlobRef) (int64, error)
	// Delete removes a blob. It succeeds when there is none.
	Delete(ctx context.Context, ref core.BlobRef) error
	// Check writes and removes a small file, to find out whether blobs can be stored.
	Check(ctx context.Context) error
}

// Open opens the store at a location: an absolute or relative path, file:///path, or
// s3://bucket/prefix?endpoint=http://host:port&region=name. A folder is created when it is not there; a bucket is not.
// Without endpoint it is Amazon's. Credentials for S3 come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
// AWS_SESSION_TOKEN, or from the role of the machine.
//
// It fails with CodeInvalidInput for a malformed location and CodeUnavailable for a folder that cannot be used.
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
		return nil, core.Errorf(core.CodeInvalidInput, "a blob store is a path, file:// or s3://, not %q", u.Scheme)
	}
}

func missing(ref core.BlobRef) error {
	return core.Errorf(core.CodeBlobMissing, "blob %s is not there", ref)
}

func tooLarge(maxBytes int64) error {
	return core.Errorf(core.CodeTooLarge, "the content has more than %d bytes", maxBytes)
}

func unavailable(err error, what string) error {
	return core.Wrap(core.CodeUnavailable, err, what)
}

// A source reads a client's content: it counts, hashes and bounds it, and remembers whose fault an error is.
type source struct {
	ctx  context.Context
	r    io.Reader
	left int64 // below zero once there was too much
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
	if int64(len(b))-1 > s.left { // one more, to notice what is too much
		b = b[:s.left+1]
	}
	n, err := s.r.Read(b)
	if s.left -= int64(n); s.left < 0 {
		s.err = tooLarge(s.max)
		return 0, s.err
	}
	_, _ = s.hash.Write(b[:n]) // a hash takes everything
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = fmt.Errorf("read the content of a blob: %w", err)
		return n, s.err
	}
	return n, err
}

func (s *source) size() int64 { return s.max - s.left }

func (s *source) ref() core.BlobRef { return core.NewBlobRef([32]byte(s.hash.Sum(nil))) }

// readChecked is Read for any store, from its Open.
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
		_, err = r.Read(make([]byte, 1)) // the end, which an empty blob has not met yet
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
