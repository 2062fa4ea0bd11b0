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

// ItemSelect reads the items of a task as T: an [Item] with what its kind adds.
type ItemSelect[T any] struct {
	// Noun is what the kind calls an item, such as page.
	Noun string
	// SQL selects [ItemColumns] and further columns of the items i of @task, up to the end of WHERE, and Scan scans a row of them.
	SQL  string
	Scan func(row pgx.CollectableRow) (T, error)
}

// List lists the items of a task in their order.
func (q ItemSelect[T]) List(ctx context.Context, s *Store, taskID string) (list []T, err error) {
	err = s.Read(ctx, Statement{SQL: q.SQL + ` ORDER BY i.item_index`, Args: pgx.NamedArgs{"task": taskID}, Read: All(&list, q.Scan)})
	return list, Wrap(err, "list the "+q.Noun+"s of a task")
}

// One reads one item. It fails with [core.CodeNotFound].
func (q ItemSelect[T]) One(ctx context.Context, s *Store, taskID string, index int) (found T, err error) {
	err = s.Read(ctx, q.Statement(core.Item{TaskID: taskID, Index: index}, &found))
	if errors.Is(err, pgx.ErrNoRows) {
		return found, q.missing(taskID, index)
	}
	return found, Wrap(err, "read one "+q.Noun+" of a task")
}

func (q ItemSelect[T]) missing(taskID string, index int) error {
	return notFound(q.Noun, strconv.Itoa(index)+" of task "+taskID)
}

// OfOne is the SQL that selects the item @item of @task.
func (q ItemSelect[T]) OfOne() string { return q.SQL + ` AND i.item_index = @item` }

// Statement is the statement that reads one item.
func (q ItemSelect[T]) Statement(of core.Item, into *T) Statement {
	return Statement{SQL: q.OfOne(), Args: pgx.NamedArgs{"task": of.TaskID, "item": of.Index}, Read: One(into, q.Scan)}
}

var items = ItemSelect[Item]{
	Noun: "item", SQL: `SELECT ` + ItemColumns + ` FROM item i JOIN task t ON t.id = i.task_id WHERE i.task_id = @task`, Scan: scanItem,
}

// Items lists the items of a task in their order.
func (s *Store) Items(ctx context.Context, taskID string) ([]Item, error) {
	return items.List(ctx, s, taskID)
}

// Item reads one item. It fails with [core.CodeNotFound].
func (s *Store) Item(ctx context.Context, taskID string, index int) (Item, error) {
	return items.One(ctx, s, taskID, index)
}
