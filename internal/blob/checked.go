package blob

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"plait/internal/core"
)

// checked reads a blob, and compares its hash with its reference before it returns the last byte. Code that forwards the bytes therefore
// never forwards a complete blob with wrong content.
type checked struct {
	io.Closer
	r    io.Reader
	ref  core.BlobRef
	left int64
	hash hash.Hash
}

// check wraps a reader of size bytes. If the content does not match ref, the wrapped reader fails with CodeBlobCorrupt instead of
// returning the last byte.
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

// end returns io.EOF if the bytes read so far match the reference, and otherwise CodeBlobCorrupt.
func (c *checked) end() error {
	if core.NewBlobRef([sha256.Size]byte(c.hash.Sum(nil))) != c.ref {
		return corrupt(c.ref)
	}
	return io.EOF
}

func corrupt(ref core.BlobRef) error {
	return core.Errorf(core.CodeBlobCorrupt, "the content of blob %s does not match its SHA-256", ref)
}
