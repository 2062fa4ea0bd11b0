package records

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// NewTask is a task to be created. Its blobs are stored already, and held under its ID.
type NewTask struct {
	ID, Tenant string
	Kind       core.Kind
	Title      string
	// Options are those of the kind, as a JSON object.
	Options json.RawMessage
	// Priority is from core.FirstPriority to core.LastPriority; 0 is core.DefaultPriority.
	Priority int
	Items    []core.Item
	Files    []File
	// Details are statements of the kind, run in the same transaction once the task is written.
	Details []Statement
	// IdempotencyKey, when not empty, makes a repetition of the request answer with the first task.
	IdempotencyKey string
	// Sizes are the sizes in bytes of the files that the client sent.
	Sizes map[core.BlobRef]int64
	// Tokens is an estimate of the tokens that its model calls will use, which its tenant is charged if the tier limits them.
	Tokens int64
	// RequestHash tells a repetition from another request under the same key.
	RequestHash string
	// CallbackURL is told of the end of the task; it may be empty.
	CallbackURL string
}

// The roles of files that several kinds share.
const (
	// RoleArchive is for the files of the archive that a task came in, in their order.
	RoleArchive = "archive"
	// RoleScript is for a script of human translations.
	RoleScript = "script"
)

// File is a file of a task other than the input or result of an item.
type File struct {
	Role string `json:"role"`
	// Position is the place among the files of the role, from 0.
	Position int          `json:"position"`
	Name     string       `json:"name"`
	Blob     core.BlobRef `json:"blob,omitempty"` // empty for an item
	// ItemIndex is the item, for a file that is one.
	ItemIndex *int `json:"item_index,omitempty"`
}

// Files lists the files of a role in their order.
func (s *Store) Files(ctx context.Context, taskID, role string) (list []File, err error) {
	err = s.Read(ctx, Statement{
		SQL: `SELECT role, position, name, coalesce(blob, ''), item_index FROM task_file
			WHERE task_id = @task AND role = @role ORDER BY position`,
		Args: pgx.NamedArgs{"task": taskID, "role": role}, Read: All(&list, pgx.RowToStructByPos[File]),
	})
	return list, Wrap(err, "list files")
}

const createTask = `
WITH new AS (
	INSERT INTO task (id, tenant, kind, title, options, priority, total_count, idempotency_key, request_hash, callback_url)
	VALUES (@id, @tenant, @kind, @title, @options, @priority, @total, nullif(@key, ''), @hash, nullif(@callback, ''))
	ON CONFLICT (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
	RETURNING *
), items AS (
	INSERT INTO item (task_id, item_index, name, blob)
	SELECT new.id, i.index, i.name, i.blob
	FROM new, jsonb_to_recordset(@items) AS i(index integer, name text, blob text)
), files AS (
	INSERT INTO task_file (task_id, role, position, name, blob, item_index)
	SELECT new.id, f.role, f.position, f.name, f.blob, f.item_index
	FROM new, jsonb_to_recordset(@files) AS f(role text, position integer, name text, blob text, item_index integer)
), named AS (
	DELETE FROM blob_lease USING new WHERE blob_lease.holder = new.id AND blob_lease.blob = ANY (@blobs)
)
SELECT ` + taskColumns + ` FROM new`

// createAttempts bounds how often a create meets a task of its key that is deleted before it can be read.
const createAttempts = 3

// CreateTask writes a task with its items and files, and releases the hold on its blobs. When the tenant has a task of
// the same idempotency key already, that one is returned and created is false; a differing request hash fails with
// [core.CodeConflict], and a task beyond a limit of the tenant's tier with [core.CodeRateLimited]. Of several callers at once exactly one
// creates.
func (s *Store) CreateTask(ctx context.Context, n NewTask) (t Task, created bool, err error) {
	if len(n.Items) == 0 {
		return Task{}, false, core.NewError(core.CodeInvalidInput, "a task needs at least one item")
	}
	for range createAttempts {
		t, err = s.create(ctx, n)
		if err == nil {
			return t, true, nil
		}
		if !errors.Is(err, pgx.ErrNoRows) {
			return Task{}, false, Wrap(err, "create a task")
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

// create fails with [pgx.ErrNoRows] when there is a task of the key.
func (s *Store) create(ctx context.Context, n NewTask) (t Task, err error) {
	args := pgx.NamedArgs{
		"id": n.ID, "tenant": n.Tenant, "kind": n.Kind, "title": Clean(n.Title), "options": n.Options,
		"priority": cmp.Or(n.Priority, core.DefaultPriority), "total": len(n.Items), "key": n.IdempotencyKey, "hash": n.RequestHash,
		"callback": n.CallbackURL, "items": n.Items, "files": append([]File{}, n.Files...), "blobs": n.blobs(),
	}
	err = s.Transact(ctx, func(tx pgx.Tx) (err error) {
		if t, err = taskOf(ctx, tx, createTask, args); err != nil {
			return err
		}
		statements := slices.Concat(storeFiles(n.Tenant, n.Sizes), []Statement{admitTask(n.ID, n.Tenant, n.Tokens, &t.TokensCharged)}, n.Details)
		_, err = run(tx.SendBatch(ctx, batchOf(statements)), statements)
		return err
	})
	return t, err
}

// blobs are all that the task names, as text.
func (n NewTask) blobs() []string {
	var list []string
	for _, i := range n.Items {
		list = append(list, string(i.Blob))
	}
	for _, f := range n.Files {
		if f.Blob != "" {
			list = append(list, string(f.Blob))
		}
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
	return t, Wrap(err, "read a task by its key")
}

// Repeats fails with [core.CodeConflict] unless a request of this hash is the one that made the task.
func (t Task) Repeats(requestHash string) error {
	if t.RequestHash != requestHash {
		return core.NewError(core.CodeConflict, "the idempotency key was used for another request")
	}
	return nil
}
