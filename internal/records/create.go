package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate/glossary"
)

// NewTask is a task to be created. Its blobs are put already, and held under its ID.
type NewTask struct {
	ID, Tenant string
	Kind       core.Kind
	Title      string
	Options    comic.Options
	Pages      []core.Item
	// Entries are the files of the archive in their order; empty when the task comes as images.
	Entries []Entry
	// Glossary and Synopsis are for the translator of this task alone; either may be empty.
	Glossary []glossary.Entry
	Synopsis string
	// IdempotencyKey, when not empty, makes a repetition of the request answer with the first task.
	IdempotencyKey string
	// RequestHash tells a repetition from another request under the same key.
	RequestHash string
}

const createTask = `
WITH new AS (
	INSERT INTO task (id, tenant, kind, title, options, total_count, idempotency_key, request_hash, synopsis)
	VALUES (@id, @tenant, @kind, @title, @options, @total, nullif(@key, ''), @hash, nullif(@synopsis, ''))
	ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
	RETURNING *
), pages AS (
	INSERT INTO page (task_id, page_index, name, blob)
	SELECT new.id, p.index, p.name, p.blob
	FROM new, jsonb_to_recordset(@pages) AS p(index integer, name text, blob text)
), entries AS (
	INSERT INTO task_entry (task_id, position, name, blob, page_index)
	SELECT new.id, e.position, e.name, e.blob, e.page_index
	FROM new, jsonb_to_recordset(@entries) AS e(position integer, name text, blob text, page_index integer)
), terms AS (
	INSERT INTO glossary (tenant, task_id, to_lang, entries)
	SELECT new.tenant, new.id, new.to_lang, @glossary FROM new WHERE jsonb_array_length(@glossary) > 0
), named AS (
	DELETE FROM blob_lease USING new WHERE blob_lease.holder = new.id AND blob_lease.blob = ANY (@blobs)
)
SELECT ` + taskColumns + ` FROM new`

// createAttempts bounds how often a create meets a task of its key that is deleted before it can be read.
const createAttempts = 3

// CreateTask writes a task with its pages and entries, and releases the hold on its blobs. When the tenant has a task of
// the same idempotency key already, that one is returned and created is false; a differing request hash fails with
// [core.CodeConflict]. Of several callers at once exactly one creates.
func (s *Store) CreateTask(ctx context.Context, n NewTask) (t Task, created bool, err error) {
	if len(n.Pages) == 0 {
		return Task{}, false, core.NewError(core.CodeInvalidInput, "a task needs at least one page")
	}
	args := pgx.NamedArgs{
		"id": n.ID, "tenant": n.Tenant, "kind": n.Kind, "title": clean(n.Title), "options": n.Options, "total": len(n.Pages),
		"key": n.IdempotencyKey, "hash": n.RequestHash,
		"pages": n.Pages, "entries": append([]Entry{}, n.Entries...), "blobs": n.blobs(),
		"glossary": append([]glossary.Entry{}, n.Glossary...), "synopsis": clean(n.Synopsis),
	}
	for range createAttempts {
		t, err = s.queryTask(ctx, createTask, args)
		if err == nil {
			return t, true, nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return Task{}, false, wrap(err, "create a task")
		}
		t, err = s.TaskByKey(ctx, n.Tenant, n.IdempotencyKey)
		if err == nil {
			return t, false, t.Repeats(n.RequestHash)
		}
		if !errors.Is(err, core.NewError(core.CodeNotFound, "")) {
			return Task{}, false, err
		}
	}
	return Task{}, false, err
}

// blobs are all that the task names, as text.
func (n NewTask) blobs() []string {
	var list []string
	for _, p := range n.Pages {
		list = append(list, string(p.Blob))
	}
	for _, e := range n.Entries {
		if e.Blob != "" {
			list = append(list, string(e.Blob))
		}
	}
	if n.Options.Script != "" {
		list = append(list, string(n.Options.Script))
	}
	return list
}

// TaskByKey reads the tenant's task of an idempotency key. It fails with [core.CodeNotFound].
func (s *Store) TaskByKey(ctx context.Context, tenant, key string) (Task, error) {
	t, err := s.queryTask(ctx, `SELECT `+taskColumns+` FROM task WHERE tenant = @tenant AND idempotency_key = @key`,
		pgx.NamedArgs{"tenant": tenant, "key": key})
	if errors.Is(err, pgx.ErrNoRows) {
		return Task{}, core.NewError(core.CodeNotFound, "there is no task of this idempotency key")
	}
	return t, wrap(err, "read a task by its key")
}

// Repeats fails with [core.CodeConflict] unless a request of this hash is the one that made the task.
func (t Task) Repeats(requestHash string) error {
	if t.RequestHash != requestHash {
		return core.NewError(core.CodeConflict, "the idempotency key was used for another request")
	}
	return nil
}
