package blob

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"

	"plait/internal/core"
)

// checked reads a blob, and compares its hash with its reference before it returns the last byte. Code that forwards the bytes therefore
// never forwards a complete blob with wrong content. After a seek to any offset but 0 it reads without a check.
type checked struct {
	io.Closer
	r    io.ReadSeeker
	ref  core.BlobRef
	size int64
	// left is how many bytes are still to be read and hashed.
	left      int64
	hash      hash.Hash
	unchecked bool
}

// check wraps a reader of size bytes. If the content does not match ref, the wrapped reader fails with CodeBlobCorrupt instead of
// returning the last byte.
func check(r io.ReadSeekCloser, size int64, ref core.BlobRef) io.ReadSeekCloser {
	return &checked{Closer: r, r: r, ref: ref, size: size, left: size, hash: sha256.New()}
}

// Seek implements [io.Seeker].
func (c *checked) Seek(offset int64, whence int) (int64, error) {
	at, err := c.r.Seek(offset, whence)
	c.unchecked, c.left = err != nil || at != 0, c.size
	c.hash.Reset()
	return at, err
}

func (c *checked) Read(b []byte) (int, error) {
	if c.unchecked {
		return c.r.Read(b)
	}
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
