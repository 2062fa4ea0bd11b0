package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/picture"
	"plait/internal/translate/glossary"
)

// survey reads every file once: it names its blob, and probes the pages. One bad page, also one that is damaged in its
// archive, is the page's own failure later; a chapter without any good one is refused with the failure of the first, and
// one with any other damaged file with that.
func (s *Service) survey(ctx context.Context, c *chapter) error {
	var refused error
	good := false
	for _, f := range c.pages {
		bad, err := s.surveyPage(ctx, f)
		if err != nil {
			return fmt.Errorf("read %q: %w", f.name, err)
		}
		good = good || bad == nil
		if bad != nil && refused == nil {
			refused = core.Errorf(core.CodeOf(bad), "%q: %s", f.name, core.PublicMessage(bad))
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
			return fmt.Errorf("read %q: %w", f.name, err)
		}
	}
	return nil
}

// surveyPage tells what is wrong with a page, apart from a failure to read it.
func (s *Service) surveyPage(ctx context.Context, f *file) (bad, err error) {
	if f.size > s.limits.Picture.MaxBytes {
		bad = core.Errorf(core.CodeTooLarge, "the page has %d bytes; %d are allowed", f.size, s.limits.Picture.MaxBytes)
		return bad, f.hash(ctx)
	}
	var buffer []byte
	select {
	case buffer = <-s.buffers:
		defer func() { s.buffers <- buffer }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if int64(cap(buffer)) < f.size {
		buffer = make([]byte, f.size)
	}
	b := buffer[:f.size]
	var n int
	err = f.read(ctx, func(r io.Reader) (err error) {
		n, err = readToEnd(r, b)
		if f.damage != nil {
			err = nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	f.ref = core.NewBlobRef(sha256.Sum256(b[:n]))
	if f.damage != nil {
		return f.damage, nil
	}
	_, bad = picture.Probe(b, s.limits.Picture)
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
	err := f.read(ctx, func(r io.Reader) error {
		_, err := io.Copy(h, r)
		return err
	})
	f.ref = core.NewBlobRef([sha256.Size]byte(h.Sum(nil)))
	return err
}

// read opens the file for use, and gives what is wrong with it a code: what a reader of an archive says has one, and
// anything else is a fault of this machine, which holds the upload.
func (f *file) read(ctx context.Context, use func(io.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r, err := f.open()
	if err != nil {
		return err
	}
	err = use(r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	if err != nil && core.CodeOf(err) == core.CodeInternal {
		return core.Wrap(core.CodeUnavailable, err, "the upload cannot be read")
	}
	return err
}

// digest names the request by its content: options, glossary and synopsis, names and blobs, in order. What a request does not
// have is left out, so that requests of before have the digest that they had. Its priority is left out as well: asked for
// again in more haste, it is the same task.
func digest(r Request, o comic.Options, c *chapter) (string, error) {
	o.Priority = 0
	type named struct {
		Name string
		Blob core.BlobRef
	}
	content := struct {
		Kind     core.Kind
		Options  comic.Options
		Packed   bool
		Files    []named
		Glossary []glossary.Entry `json:",omitempty"`
		Synopsis string           `json:",omitempty"`
	}{Kind: comic.Kind, Options: o, Packed: c.packed, Glossary: r.Glossary, Synopsis: r.Synopsis}
	for _, f := range c.files {
		content.Files = append(content.Files, named{f.name, f.ref})
	}
	b, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("describe the request: %w", err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}
