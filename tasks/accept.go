package tasks

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// maxStartBytes keeps the input of a workflow within the 2 MiB that Temporal takes for a payload.
const maxStartBytes = 1_800_000

// Accept checks the request, makes it durable, and starts its workflow. A repetition of a request under its idempotency key
// answers with the first task, and created is false. Its errors name the file or field: INVALID_INPUT, UNKNOWN_LANGUAGE,
// INVALID_SCRIPT, INVALID_ARCHIVE, TOO_LARGE, and, when no page is good, that of the first; CONFLICT for another request
// under the same key; UNAVAILABLE.
func (s *Service) Accept(ctx context.Context, r Request) (t records.Task, created bool, err error) {
	options, err := r.options()
	if err != nil {
		return records.Task{}, false, err
	}
	if err := s.checkSource(options.From); err != nil {
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
		options.Script = core.NewBlobRef(sha256.Sum256(r.Script))
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
		if core.CodeOf(err) != core.CodeNotFound {
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

func newTask(r Request, o comic.Options, c *chapter) (records.NewTask, error) {
	id, err := uuid.NewV7() // of rising order, which keeps the indexes compact
	if err != nil {
		return records.NewTask{}, fmt.Errorf("make a task id: %w", err)
	}
	n := records.NewTask{
		ID: id.String(), Tenant: r.Tenant, Kind: comic.Kind, Title: r.title(), Options: o.JSON(), Priority: o.Priority,
		IdempotencyKey: r.IdempotencyKey,
	}
	if len(r.Glossary) > 0 {
		n.Details = append(n.Details, records.PutGlossary(r.Tenant, n.ID, o.To, r.Glossary))
	}
	if r.Synopsis != "" {
		n.Details = append(n.Details, records.PutSynopsis(n.ID, r.Synopsis))
	}
	if o.Script != "" {
		n.Files = append(n.Files, records.File{Role: records.RoleScript, Name: records.RoleScript, Blob: o.Script})
	}
	if n.RequestHash, err = digest(r, o, c); err != nil {
		return records.NewTask{}, err
	}
	index := map[*file]int{}
	for i, f := range c.pages {
		index[f] = i
		n.Items = append(n.Items, core.Item{TaskID: n.ID, Tenant: n.Tenant, Index: i, Name: f.name, Blob: f.ref})
	}
	if c.packed {
		for i, f := range c.files {
			e := records.File{Role: records.RoleArchive, Position: i, Name: f.name, Blob: f.ref}
			if f.page {
				page := index[f]
				e.Blob, e.ItemIndex = "", &page
			}
			n.Files = append(n.Files, e)
		}
	}
	size, err := json.Marshal(n.Items)
	if err != nil {
		return records.NewTask{}, fmt.Errorf("describe the pages: %w", err)
	}
	if len(size) > maxStartBytes {
		return records.NewTask{}, core.NewError(core.CodeTooLarge, "the chapter has too many pages for the length of their names")
	}
	return n, nil
}
