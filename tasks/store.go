package tasks

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"slices"
	"time"

	"plait/internal/core"
	"plait/internal/records"
)

// undoTimeout bounds the cleanup after a refused request, whose own context may have ended.
const undoTimeout = 20 * time.Second

// store makes the task durable: it holds and puts the blobs, then writes the row. If it does not write the row, it removes the blobs that
// it put.
func (s *Service) store(ctx context.Context, n records.NewTask, p Plan) (records.Task, bool, error) {
	contents := slices.Clone(p.Items)
	for _, f := range p.Files {
		if f.Item == nil {
			contents = append(contents, f.Content)
		}
	}
	refs := make([]core.BlobRef, len(contents))
	for i, c := range contents {
		refs[i] = c.Ref
	}
	if err := s.records.HoldBlobs(ctx, n.ID, refs); err != nil {
		return records.Task{}, false, err
	}
	t, created, err := s.putAndCreate(ctx, n, contents)
	if err != nil || !created {
		s.takeBack(ctx, n.ID, refs)
	}
	return t, created, err
}

func (s *Service) putAndCreate(ctx context.Context, n records.NewTask, contents []Content) (records.Task, bool, error) {
	stored := map[core.BlobRef]bool{}
	for _, c := range contents {
		if stored[c.Ref] { // several items may share a file
			continue
		}
		stored[c.Ref] = true
		err := c.Read(ctx, func(r io.Reader) error { return s.put(ctx, r, c.Size, c.Ref) })
		if err != nil {
			return records.Task{}, false, fmt.Errorf("store %q: %w", c.Name, err)
		}
	}
	if err := s.creating.Acquire(ctx, 1); err != nil {
		return records.Task{}, false, context.Cause(ctx)
	}
	defer s.creating.Release(1)
	return s.records.CreateTask(ctx, n)
}

// put stores the content only if its hash is want.
func (s *Service) put(ctx context.Context, r io.Reader, size int64, want core.BlobRef) error {
	_, _, err := s.blobs.Put(ctx, &expected{r: r, h: sha256.New(), want: want}, size)
	return err
}

// expected is a reader that fails at its end unless the content has the expected hash, so that nothing else is stored.
type expected struct {
	r    io.Reader
	h    hash.Hash
	want core.BlobRef
}

func (e *expected) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.h.Write(p[:n])
	if errors.Is(err, io.EOF) && core.NewBlobRef([sha256.Size]byte(e.h.Sum(nil))) != e.want {
		return n, core.NewError(core.CodeInvalidInput, "the upload changed while it was read")
	}
	return n, err
}

// takeBack removes blobs that only this request put. The sweeper removes those that it cannot remove now.
func (s *Service) takeBack(ctx context.Context, holder string, refs []core.BlobRef) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	released, err := s.records.ReleaseBlobs(ctx, holder, refs)
	if err == nil {
		_, err = s.records.RemoveBlobs(ctx, released, s.blobs.Delete)
	}
	if err != nil {
		s.log.Warn("the blobs of a refused request wait for the sweeper to remove them", slog.Any("error", err))
	}
}
