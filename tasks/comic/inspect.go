package comictasks

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"plait/internal/core"
	"plait/internal/picture"
)

// inspect reads every file once: it names its blob, and probes the pages. One bad page, also one that is damaged in its
// archive, is the page's own failure later; a chapter without any good one is refused with the failure of the first, and
// one with any other damaged file with that.
func (s *Service) inspect(ctx context.Context, c *chapter) error {
	var refused error
	good := false
	for _, f := range c.pages {
		bad, err := s.inspectPage(ctx, f)
		if err != nil {
			return fmt.Errorf("read %q: %w", f.Name, err)
		}
		good = good || bad == nil
		if bad != nil && refused == nil {
			refused = core.Errorf(core.CodeOf(bad), "%q: %s", f.Name, core.PublicMessage(bad))
		}
	}
	if !good {
		return refused
	}
	for _, f := range c.files {
		if f.page {
			continue
		}
		if err := f.hash(ctx); err != nil {
			return fmt.Errorf("read %q: %w", f.Name, err)
		}
	}
	return nil
}

// inspectPage tells what is wrong with a page, apart from a failure to read it.
func (s *Service) inspectPage(ctx context.Context, f *file) (bad, err error) {
	if f.Size > s.deps.Limits.Picture.MaxBytes {
		bad = core.Errorf(core.CodeTooLarge, "the page has %d bytes; %d are allowed", f.Size, s.deps.Limits.Picture.MaxBytes)
		return bad, f.hash(ctx)
	}
	var buffer []byte
	select {
	case buffer = <-s.buffers:
		defer func() { s.buffers <- buffer }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if int64(cap(buffer)) < f.Size {
		buffer = make([]byte, f.Size)
	}
	b := buffer[:f.Size]
	var n int
	err = f.Read(ctx, func(r io.Reader) (err error) {
		n, err = readToEnd(r, b)
		if f.damage != nil {
			err = nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f.Ref = core.NewBlobRef(sha256.Sum256(b[:n]))
	if f.damage != nil {
		return f.damage, nil
	}
	_, bad = picture.Probe(b, s.deps.Limits.Picture)
	return bad, nil
}

// readToEnd fills b and meets the end, where an archive checks the checksum. It fails when there is less to read.
func readToEnd(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if err != nil {
		return n, err
	}
	_, err = r.Read(make([]byte, 1))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (f *file) hash(ctx context.Context) error {
	h := sha256.New()
	err := f.Read(ctx, func(r io.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	f.Ref = core.NewBlobRef([sha256.Size]byte(h.Sum(nil)))
	return err
}
