package records

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// ParseEventID reads the id of an event as a client carries it; 0 is before the first event. It fails with [core.CodeInvalidInput].
func ParseEventID(s string) (int64, error) {
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil || id < 0 || strconv.FormatInt(id, 10) != s {
		return 0, core.NewError(core.CodeInvalidInput, "the id of the last event is not one that a stream sent")
	}
	return id, nil
}

// Event is an entry in the log of what happened to tasks.
type Event struct {
	// ID is the place in the log, from 1.
	ID             int64
	Tenant, TaskID string
	// Type is one of those that the table event allows.
	Type string
	// Data is the state of the task after the event, as a JSON object.
	Data json.RawMessage
	At   time.Time
}

// EventFilter selects events. An empty field matches every event.
type EventFilter struct{ Tenant, TaskID string }

// EventPage is a part of the log.
type EventPage struct {
	Events []Event
	// Next is the id after which the following page begins. It may be higher than those of Events.
	Next int64
	// More says that the limit ended the page.
	More bool
	// Pending says that an event waits for another transaction to end before it can be read. No notification need announce that.
	Pending bool
	// Truncated says that the log does not know all events after the id: they were removed, or the id is of another database.
	Truncated bool
}

const (
	eventColumns = `id, tenant, task_id, type, data, created_at`

	// The order of these three statements matters: see 00008_events.sql.
	lastEventID = `SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM event_id_seq`
	lowestLock  = `SELECT coalesce(min(((classid::bigint & 65535) << 32) + objid::bigint), 9223372036854775807) FROM pg_locks
		WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 28005
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
	eventsOfAll    = `SELECT ` + eventColumns + ` FROM event WHERE id > @after ORDER BY id LIMIT @limit`
	eventsOfTenant = `SELECT ` + eventColumns + ` FROM event WHERE id > @after AND tenant = @tenant ORDER BY id LIMIT @limit`
	eventsOfTask   = `SELECT ` + eventColumns + ` FROM event WHERE id > @after AND task_id = @task AND tenant = @tenant ORDER BY id LIMIT @limit`

	// This comes last: events that were removed before it are missing in the page.
	eventFloor = `SELECT id FROM event_floor`
)

// Events reads at most limit events after an id, in their order. Whatever is committed later comes after all that it returned.
func (s *Store) Events(ctx context.Context, f EventFilter, after int64, limit int) (EventPage, error) {
	sql := eventsOfAll
	switch {
	case f.TaskID != "":
		sql = eventsOfTask
	case f.Tenant != "":
		sql = eventsOfTenant
	}
	var last, lock, floor int64
	var page EventPage
	err := s.Read(ctx,
		Statement{SQL: lastEventID, Read: One(&last, pgx.RowTo[int64])},
		Statement{SQL: lowestLock, Read: One(&lock, pgx.RowTo[int64])},
		Statement{SQL: sql, Read: All(&page.Events, pgx.RowToStructByPos[Event]), Args: pgx.NamedArgs{
			"tenant": f.Tenant, "task": f.TaskID, "after": after, "limit": limit,
		}},
		Statement{SQL: eventFloor, Read: One(&floor, pgx.RowTo[int64])},
	)
	if err != nil {
		return EventPage{}, Wrap(err, "read events")
	}
	page.Truncated = after < floor || after > last
	page.cut(after, min(last, lock-1), limit)
	return page, nil
}

// cut ends the page, which was read with a limit, at the last id that can be read.
func (p *EventPage) cut(after, end int64, limit int) {
	p.Next, p.More = max(after, end), len(p.Events) == limit
	for i, e := range p.Events {
		if e.ID > end {
			p.Events, p.More, p.Pending = p.Events[:i], false, true
			return
		}
	}
	if p.More {
		p.Next = p.Events[limit-1].ID
	}
}

// EventsEnd returns the id after which [Store.Events] reads what is committed from now on.
func (s *Store) EventsEnd(ctx context.Context) (int64, error) {
	var last, lock int64
	err := s.Read(ctx,
		Statement{SQL: lastEventID, Read: One(&last, pgx.RowTo[int64])},
		Statement{SQL: lowestLock, Read: One(&lock, pgx.RowTo[int64])},
	)
	return min(last, lock-1), Wrap(err, "read the end of the events")
}

// LastEvent returns the id of the newest event of a task that is committed, also of one that [Store.Events] does not return yet; 0 when the
// log has none.
func (s *Store) LastEvent(ctx context.Context, taskID string) (id int64, err error) {
	err = s.Read(ctx, Statement{
		SQL:  `SELECT coalesce(max(id), 0) FROM event WHERE task_id = @task`,
		Args: pgx.NamedArgs{"task": taskID}, Read: One(&id, pgx.RowTo[int64]),
	})
	return id, Wrap(err, "read the last event")
}

// removeEvents removes the oldest first, up to the first that stays.
const removeEvents = `
WITH oldest AS (
	SELECT id, created_at <= now() - make_interval(secs => @seconds)
		OR id <= coalesce((SELECT id FROM event ORDER BY id DESC OFFSET @most LIMIT 1), 0) AS old
	FROM event ORDER BY id LIMIT @limit
), removed AS (
	DELETE FROM event WHERE id < coalesce((SELECT min(id) FROM oldest WHERE NOT old), (SELECT max(id) + 1 FROM oldest)) RETURNING id
), raised AS (
	UPDATE event_floor SET id = greatest(event_floor.id, last.id) FROM (SELECT max(id) AS id FROM removed) last
)
SELECT count(*) FROM removed`

// RemoveEvents removes at most limit events: those older than olderThan, and the oldest beyond the newest most. It returns how many.
func (s *Store) RemoveEvents(ctx context.Context, olderThan time.Duration, most, limit int) (removed int, err error) {
	err = s.pool.QueryRow(ctx, removeEvents, pgx.NamedArgs{"seconds": olderThan.Seconds(), "most": most, "limit": limit}).Scan(&removed)
	return removed, Wrap(err, "remove old events")
}
