package chaos_test

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"go.temporal.io/api/workflowservice/v1"
)

// leftover is something of which nothing may be left once everything has ended, after a while.
type leftover struct {
	what string
	// left is how many there are, and which.
	left func(context.Context) (n int, which string, err error)
}

// leftWithin is how long things may take to go: longer than a detect context that nobody came for.
const leftWithin = 4 * usualTTL

// checkLeftovers looks at what runs, then stops all parts, and looks at what they leave behind.
func (s *storm) checkLeftovers(f *findings) {
	for _, l := range []leftover{
		{"detect contexts", s.count(`SELECT coalesce(sum(contexts), 0), coalesce(string_agg(name, ', '), '') FROM host
			WHERE contexts > 0 AND state <> 'stopped' AND seen_at > now() - interval '20 seconds'`)},
		// A worker that makes videos waits for the next one with a slot of its engine.
		{"advisory locks", s.count(fmt.Sprintf(`SELECT greatest(count(*) - %d, 0), coalesce(string_agg(objid::text, ', '), '') FROM pg_locks
			WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`, len(s.videos)))},
		{"transactions left open", s.count(`SELECT count(*), coalesce(string_agg(application_name || ': ' || query, ', '), '') FROM pg_stat_activity
			WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '5 seconds'`)},
		{"stage runs without an end", s.count(`SELECT count(*), coalesce(string_agg(task_id || ' page ' || item_index, ', '), '') FROM stage_run
			WHERE ended_at IS NULL`)},
		{"running workflows", s.workflows},
	} {
		s.await(f, l)
	}
	for _, k := range s.parts() {
		if err := s.stopPart(k); err != nil {
			f.add("%s did not stop: %v", k.name, err)
		}
		for _, line := range k.broken {
			f.add("%s said: %s", k.name, line)
		}
	}
	s.records.Close()
	for _, l := range []leftover{
		{"database connections", s.count(`SELECT count(*), coalesce(string_agg(application_name, ', '), '') FROM pg_stat_activity
			WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`)},
		{"temporary files", s.temporaryFiles},
	} {
		s.await(f, l)
	}
}

// await waits until nothing is left.
func (s *storm) await(f *findings, l leftover) {
	ctx, cancel := context.WithTimeout(s.t.Context(), leftWithin)
	defer cancel()
	began := time.Now()
	for {
		n, which, err := l.left(ctx)
		if err == nil && n == 0 {
			s.leftovers[l.what] = 0
			s.journal.tell("gone", "%s, after %.1f s", l.what, time.Since(began).Seconds())
			return
		}
		select {
		case <-ctx.Done():
			s.leftovers[l.what] = n
			f.add("left over: %d %s: %s (%v)", n, l.what, which, err)
			return
		case <-time.After(pollEvery):
		}
	}
}

func (s *storm) count(query string) func(context.Context) (int, string, error) {
	return func(ctx context.Context) (n int, which string, err error) {
		return n, which, s.ask(ctx, query, nil, &n, &which)
	}
}

func (s *storm) workflows(ctx context.Context) (int, string, error) {
	open, err := s.client.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{Query: "ExecutionStatus = 'Running'"})
	if err != nil {
		return 0, "", err
	}
	var which string
	for _, w := range open.GetExecutions() {
		which += " " + w.GetExecution().GetWorkflowId()
	}
	return len(open.GetExecutions()), which, nil
}

// temporaryFiles are those of unfinished blobs and uploads.
func (s *storm) temporaryFiles(context.Context) (n int, which string, err error) {
	for _, folder := range []string{s.temp, filepath.Join(s.blobs, "tmp")} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				n++
				which += " " + path
			}
			return err
		})
		if err != nil {
			return n, which, fmt.Errorf("look for temporary files: %w", err)
		}
	}
	return n, which, nil
}
