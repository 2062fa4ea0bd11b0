package video

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"plait/internal/blob"
	"plait/internal/core"
)

// held is a store that holds each blob before it stores it, so that nothing is left of what no row comes to name.
type held struct {
	blob.Store
	// dir is for files in work.
	dir  string
	hold func(ctx context.Context, ref core.BlobRef) error
}

// Put implements [blob.Store].
func (h held) Put(ctx context.Context, r io.Reader, maxBytes int64) (ref core.BlobRef, size int64, err error) {
	f, err := os.CreateTemp(h.dir, "blob-")
	if err != nil {
		return "", 0, core.Wrap(core.CodeUnavailable, err, "a file cannot be written on this host")
	}
	defer func() {
		_ = f.Close()
		err = errors.Join(err, os.Remove(f.Name()))
	}()
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(f, sum), io.LimitReader(r, maxBytes+1))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", 0, err
	}
	ref = core.NewBlobRef([sha256.Size]byte(sum.Sum(nil)))
	if err := h.hold(ctx, ref); err != nil {
		return "", 0, err
	}
	return h.Store.Put(ctx, f, maxBytes)
}
