package blob

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"plait/internal/core"
)

// checked reads a blob and compares its hash with its name before it returns the last byte: a reader that passes bytes on never
// passes on a whole wrong blob.
type checked struct {
	io.Closer
	r    io.Reader
	ref  core.BlobRef
	left int64
	hash hash.Hash
}

// check makes a reader of size bytes one that fails with CodeBlobCorrupt in place of the last byte.
func check(r io.ReadCloser, size int64, ref core.BlobRef) io.ReadCloser {
	return &checked{Closer: r, r: r, ref: ref, left: size, hash: sha256.New()}
}

func (c *checked) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, c.end()
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, err := c.r.Read(b[:min(int64(len(b)), max(c.left-1, 1))])
	c.hash.Write(b[:n])
	c.left -= int64(n)
	switch {
	case c.left == 0 && !errors.Is(c.end(), io.EOF):
		return 0, c.end()
	case c.left > 0 && errors.Is(err, io.EOF):
		return 0, corrupt(c.ref)
	case errors.Is(err, io.EOF):
		return n, nil
	default:
		return n, err
	}
}

// end is io.EOF for the bytes of that name.
func (c *checked) end() error {
	if core.NewBlobRef([sha256.Size]byte(c.hash.Sum(nil))) != c.ref {
		return corrupt(c.ref)
	}
	return io.EOF
}

func corrupt(ref core.BlobRef) error {
	return core.Errorf(core.CodeBlobCorrupt, "blob %s does not hold the bytes of its name", ref)
}
