package records

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// Item is an item of a task and its state.
type Item struct {
	Ref    core.Item
	Status core.Status
	// Stage is the stage that started last; empty before the first.
	Stage core.Stage
	// Mode is empty before the first stage.
	Mode core.Mode
	// Result is the result of an item that succeeded.
	Result  core.BlobRef
	Failure *core.Failure
	// Elapsed is that of the stage that made the result.
	Elapsed            core.ElapsedMS
	StartedAt, EndedAt *time.Time
	// Paused says that the task is paused, and FilesRemoved that retention removed its files.
	Paused, FilesRemoved bool
}

// ItemColumns are the columns that [Item.Targets] takes, of item i joined with its task t.
const ItemColumns = `i.task_id, t.tenant, i.item_index, i.name, i.blob, i.attempts_before, i.status, coalesce(i.stage, ''), coalesce(i.mode, ''),
	coalesce(i.result_blob, ''),
	CASE WHEN i.failure_code IS NOT NULL THEN jsonb_build_object('stage', coalesce(i.failure_stage, ''), 'code', i.failure_code,
		'message', coalesce(i.failure_message, '')) END,
	i.elapsed_ms, i.started_at, i.ended_at, t.status = 'paused', t.files_removed_at IS NOT NULL`

// Targets are what a row of [ItemColumns] is scanned into.
func (i *Item) Targets() []any {
	return []any{
		&i.Ref.TaskID, &i.Ref.Tenant, &i.Ref.Index, &i.Ref.Name, &i.Ref.Blob, &i.Ref.Attempts, &i.Status, &i.Stage, &i.Mode,
		&i.Result, &i.Failure, &i.Elapsed, &i.StartedAt, &i.EndedAt, &i.Paused, &i.FilesRemoved,
	}
}

func scanItem(row pgx.CollectableRow) (i Item, err error) {
	return i, row.Scan(i.Targets()...)
}

const (
	selectItems = `SELECT ` + ItemColumns + ` FROM item i JOIN task t ON t.id = i.task_id WHERE i.task_id = @task`
	selectItem  = selectItems + ` AND i.item_index = @item`
)

// Items lists the items of a task in their order.
func (s *Store) Items(ctx context.Context, taskID string) (list []Item, err error) {
	err = s.Read(ctx, Statement{SQL: selectItems + ` ORDER BY i.item_index`, Args: pgx.NamedArgs{"task": taskID}, Read: All(&list, scanItem)})
	return list, Wrap(err, "list items")
}

// Item reads one item. It fails with [core.CodeNotFound].
func (s *Store) Item(ctx context.Context, taskID string, index int) (i Item, err error) {
	err = s.Read(ctx, Statement{SQL: selectItem, Args: pgx.NamedArgs{"task": taskID, "item": index}, Read: One(&i, scanItem)})
	if errors.Is(err, pgx.ErrNoRows) {
		return Item{}, noItem(taskID, index)
	}
	return i, Wrap(err, "read an item")
}

func noItem(taskID string, index int) error {
	return notFound("item", strconv.Itoa(index)+" of task "+taskID)
}
