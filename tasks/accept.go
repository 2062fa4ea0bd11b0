package tasks

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"plait/internal/pipeline"
	"plait/internal/records"
	"plait/workflows"
)

const (
	// startTimeout is how long a client waits for Temporal; a task that is not started by then is started by the sweeper.
	startTimeout = 5 * time.Second
	// undoTimeout is for tidying up after a refused request, whose own context may have ended.
	undoTimeout = 20 * time.Second
	// maxStartBytes keeps the input of a workflow within the 2 MiB that Temporal takes for a payload.
	maxStartBytes = 1_800_000
)

// Accept checks the request, makes it durable, and starts its workflow. A repetition of a request under its idempotency key
// answers with the first task, and created is false. Its errors name the file or field: INVALID_INPUT, UNKNOWN_LANGUAGE,
// INVALID_SCRIPT, INVALID_ARCHIVE, TOO_LARGE, and, when no page is good, that of the first; CONFLICT for another request
// under the same key; UNAVAILABLE.
func (s *Service) Accept(ctx context.Context, r Request) (t records.Task, created bool, err error) {
	options, err := r.options()
	if err != nil {
		return records.Task{}, false, err
	}
	c, err := s.openChapter(r.Files)
	if err != nil {
		return records.Task{}, false, err
	}
	if err := s.survey(ctx, c); err != nil {
		return records.Task{}, false, err
	}
	if len(r.Script) > 0 {
		options.Script = pipeline.NewBlobRef(sha256.Sum256(r.Script))
	}
	n, err := newTask(r, options, c)
	if err != nil {
		return records.Task{}, false, err
	}
	if r.IdempotencyKey != "" {
		t, err = s.records.TaskByKey(ctx, r.Tenant, r.IdempotencyKey)
		if err == nil {
			return s.repeated(ctx, t, n.RequestHash)
		}
		if pipeline.CodeOf(err) != pipeline.CodeNotFound {
			return records.Task{}, false, err
		}
	}
	if t, created, err = s.store(ctx, n, c, r.Script); err != nil {
		return records.Task{}, false, err
	}
	s.startAccepted(ctx, t)
	return t, created, nil
}

// repeated answers a repetition. The first request may have stopped before its workflow was started.
func (s *Service) repeated(ctx context.Context, t records.Task, hash string) (records.Task, bool, error) {
	if err := t.Repeats(hash); err != nil {
		return records.Task{}, false, err
	}
	s.startAccepted(ctx, t)
	return t, false, nil
}

func newTask(r Request, o pipeline.Options, c *chapter) (records.NewTask, error) {
	id, err := uuid.NewV7() // of rising order, which keeps the indexes compact
	if err != nil {
		return records.NewTask{}, fmt.Errorf("make a task id: %w", err)
	}
	n := records.NewTask{
		ID: id.String(), Tenant: r.Tenant, Kind: pipeline.KindComic, Title: r.title(), Options: o, IdempotencyKey: r.IdempotencyKey,
	}
	if n.RequestHash, err = digest(o, c); err != nil {
		return records.NewTask{}, err
	}
	index := map[*file]int{}
	for i, f := range c.pages {
		index[f] = i
		n.Pages = append(n.Pages, pipeline.PageRef{TaskID: n.ID, Tenant: n.Tenant, Index: i, Name: f.name, Blob: f.ref})
	}
	if c.packed {
		for i, f := range c.files {
			e := records.Entry{Position: i, Name: f.name, Blob: f.ref}
			if f.page {
				page := index[f]
				e.Blob, e.PageIndex = "", &page
			}
			n.Entries = append(n.Entries, e)
		}
	}
	size, err := json.Marshal(n.Pages)
	if err != nil {
		return records.NewTask{}, fmt.Errorf("describe the pages: %w", err)
	}
	if len(size) > maxStartBytes {
		return records.NewTask{}, pipeline.NewError(pipeline.CodeTooLarge, "the chapter has too many pages for the length of their names")
	}
	return n, nil
}

// store makes the task durable: it holds and puts the blobs, then writes the row. What it put is taken back when there is
// no row in the end.
func (s *Service) store(ctx context.Context, n records.NewTask, c *chapter, script []byte) (records.Task, bool, error) {
	refs := make([]pipeline.BlobRef, 0, len(c.files)+1)
	for _, f := range c.files {
		refs = append(refs, f.ref)
	}
	if len(script) > 0 {
		refs = append(refs, n.Options.Script)
	}
	if err := s.records.HoldBlobs(ctx, n.ID, refs); err != nil {
		return records.Task{}, false, err
	}
	t, created, err := s.putAndCreate(ctx, n, c, script)
	if err != nil || !created {
		s.takeBack(ctx, n.ID, refs)
	}
	return t, created, err
}

func (s *Service) putAndCreate(ctx context.Context, n records.NewTask, c *chapter, script []byte) (records.Task, bool, error) {
	for _, f := range c.files {
		err := f.read(ctx, func(r io.Reader) error { return s.put(ctx, r, f.size, f.ref) })
		if err != nil {
			return records.Task{}, false, fmt.Errorf("store %q: %w", f.name, err)
		}
	}
	if len(script) > 0 {
		if err := s.put(ctx, bytes.NewReader(script), int64(len(script)), n.Options.Script); err != nil {
			return records.Task{}, false, fmt.Errorf("store the script: %w", err)
		}
	}
	return s.records.CreateTask(ctx, n)
}

// put stores what was surveyed, and nothing else.
func (s *Service) put(ctx context.Context, r io.Reader, size int64, want pipeline.BlobRef) error {
	_, _, err := s.blobs.Put(ctx, &expected{r: r, h: sha256.New(), want: want}, size)
	return err
}

// expected is a reader that fails at its end unless the content has the expected name, so that nothing else is stored.
type expected struct {
	r    io.Reader
	h    hash.Hash
	want pipeline.BlobRef
}

func (e *expected) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.h.Write(p[:n])
	if errors.Is(err, io.EOF) && pipeline.NewBlobRef([sha256.Size]byte(e.h.Sum(nil))) != e.want {
		return n, pipeline.NewError(pipeline.CodeInvalidInput, "the upload changed while it was read")
	}
	return n, err
}

// takeBack removes blobs that this request alone put. What it cannot remove now is removed by the sweeper.
func (s *Service) takeBack(ctx context.Context, holder string, refs []pipeline.BlobRef) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	released, err := s.records.ReleaseBlobs(ctx, holder, refs)
	if err == nil {
		_, err = s.records.RemoveBlobs(ctx, released, s.blobs.Delete)
	}
	if err != nil {
		s.log.Warn("the blobs of a refused request stay until the sweeper comes", slog.Any("error", err))
	}
}

// startAccepted starts the workflow of a task that is durable already, so that a failure is no failure of the request.
func (s *Service) startAccepted(ctx context.Context, t records.Task) {
	if t.Status != pipeline.StatusQueued || t.CancelRequestedAt != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), startTimeout)
	defer cancel()
	if err := s.start(ctx, t); err != nil {
		s.log.Warn("a task is accepted, and waits for the sweeper to start it", slog.String("task", t.ID), slog.Any("error", err))
	}
}

var errNothingLeft = errors.New("no page is left to do")

// start starts the workflow of a task for the pages that have not ended.
func (s *Service) start(ctx context.Context, t records.Task) error {
	pages, err := s.records.Pages(ctx, t.ID)
	if err != nil {
		return err
	}
	in := workflows.ChapterInput{
		TaskID: t.ID, Tenant: t.Tenant, Kind: t.Kind, Title: t.Title, Options: t.Options, Window: s.limits.Window,
	}
	for _, p := range pages {
		if !p.Status.Ended() {
			in.Pages = append(in.Pages, p.Ref)
		}
	}
	if t.SuccessCount+t.FailedCount > 0 {
		in.Carried = &workflows.Counts{Success: t.SuccessCount, Failed: t.FailedCount, Fallback: t.FallbackCount}
	}
	if len(in.Pages) == 0 {
		return errNothingLeft
	}
	return workflows.StartChapter(ctx, s.temporal, in)
}
