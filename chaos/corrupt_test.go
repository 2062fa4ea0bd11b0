package chaos_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
)

// corruptWithin is how long a fault waits for a page that it can strike.
const corruptWithin = 20 * time.Second

// corruptOriginal changes a byte of a page that waits for its detect. Nobody can make the page without it.
func corruptOriginal(s *storm) (string, bool) {
	return s.corrupt(`SELECT p.blob, p.task_id, p.item_index FROM item p JOIN task t ON t.id = p.task_id
		WHERE t.tenant = $1 AND p.status = 'queued' AND t.status IN ('queued', 'running')
		ORDER BY t.created_at DESC, p.item_index DESC LIMIT 1`)
}

// corruptResult changes a byte of a finished image. Whoever asks for it must not be given it.
func corruptResult(s *storm) (string, bool) {
	return s.corrupt(`SELECT p.result_blob, p.task_id, p.item_index FROM item p JOIN task t ON t.id = p.task_id JOIN comic_page c USING (task_id, item_index)
		WHERE t.tenant = $1 AND p.status = 'success' AND c.output_changed ORDER BY p.ended_at DESC LIMIT 1`)
}

// corrupt changes a byte of the blob that the query finds, on the disk.
func (s *storm) corrupt(query string) (what string, struck bool) {
	ctx, cancel := context.WithTimeout(s.t.Context(), corruptWithin)
	defer cancel()
	var ref core.BlobRef
	var task string
	var page int
	for {
		err := s.ask(ctx, query, []any{s.customer.tenant}, &ref, &task, &page)
		if err == nil && s.spoil(ref, fmt.Sprintf("task %s, page %d", task, page)) {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Sprintf("no page to strike: %v", err), false
		case <-time.After(pollEvery):
		}
	}
	if err := flip(filepath.Join(s.blobs, ref.Hex()[:2], ref.Hex())); err != nil {
		s.fail(err)
	}
	return fmt.Sprintf("task %s, page %d: %s", task, page, ref), true
}

// spoil notes a blob that is going to be corrupted, once: a byte that is changed twice is as it was.
func (s *storm) spoil(ref core.BlobRef, where string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, spoiled := s.corrupted[ref]; spoiled {
		return false
	}
	s.corrupted[ref] = where
	return true
}

// askWithin bounds one look at the database: a connection that is not answered must not take all the time there is.
const askWithin = 10 * time.Second

// ask reads one row by a connection of its own: Postgres may be away. That it did not answer in time is part of the story, with
// what it was doing.
func (in *installation) ask(ctx context.Context, query string, args []any, into ...any) (err error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	doing := "connecting"
	defer func() {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			in.journal.tell("unanswered", "postgres, %s: %v; its sessions: %s", doing, err, in.sessions())
		}
	}()
	conn, err := pgx.Connect(ctx, in.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	doing = query
	return conn.QueryRow(ctx, query, args...).Scan(into...)
}

// sessions is what Postgres does at present, by another connection.
func (in *installation) sessions() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(in.t.Context()), askWithin)
	defer cancel()
	conn, err := pgx.Connect(ctx, in.url)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = conn.Close(ctx) }() // what it was asked is known
	var sessions string
	err = conn.QueryRow(ctx, `SELECT coalesce(string_agg(concat_ws(' ', pid, backend_type, application_name, state, wait_event_type, wait_event,
		left(query, 60)), '; '), '') FROM pg_stat_activity WHERE state IS DISTINCT FROM 'idle'`).Scan(&sessions)
	if err != nil {
		return err.Error()
	}
	return sessions
}

// flip changes the byte in the middle of a file.
func flip(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at, one := info.Size()/2, make([]byte, 1)
	if _, err := f.ReadAt(one, at); err != nil {
		return err
	}
	one[0] ^= 0xff
	_, err = f.WriteAt(one, at)
	return err
}
