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

// inspect reads every file once: it computes the name of its blob, and probes the pages. A bad page, including one that is damaged in its
// archive, fails alone later. A chapter without any good page is refused with the failure of the first page, and one in which another file
// is damaged is refused with that damage.
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
		if err := f.Identify(ctx); err != nil {
			return fmt.Errorf("read %q: %w", f.Name, err)
		}
	}
	return nil
}

// inspectPage returns what is wrong with a page as bad, and a failure to read it as err.
func (s *Service) inspectPage(ctx context.Context, f *file) (bad, err error) {
	if f.Size > s.deps.Limits.Picture.MaxBytes {
		bad = core.Errorf(core.CodeTooLarge, "the page has %d bytes; %d are allowed", f.Size, s.deps.Limits.Picture.MaxBytes)
		return bad, f.Identify(ctx)
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

// readToEnd fills b and reads on to EOF, where an archive checks the checksum. It fails when there is less to read.
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
