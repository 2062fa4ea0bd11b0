package chaos_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	comicschema "plait/api/comic/schema"
	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

// findings are what is wrong after a storm.
type findings struct {
	mu   sync.Mutex
	list []string
}

func (f *findings) add(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// require fails the test with all of them, and the seed that repeats the storm.
func (f *findings) require(tb testing.TB, seed uint64) {
	tb.Helper()
	require.Empty(tb, f.list, "make chaos SEED=%d\n%s", seed, strings.Join(f.list, "\n"))
}

// checkStruck holds what struck against what there is: a kind that found nothing to strike has shown nothing.
func (s *storm) checkStruck(f *findings) {
	for _, kind := range faults() {
		if s.struck[kind.kind] == 0 {
			f.add("no fault of kind %q has struck", kind.kind)
		}
	}
}

// outcomeOfTask is a task that has ended, as its owner sees it.
type outcomeOfTask struct {
	task  schema.Task
	pages []outcome
}

// checkEnds holds the tasks against their pages, and the pages against how they ended in calm.
func (s *storm) checkEnds(f *findings, chapters []chapter, ended map[int]outcomeOfTask, calm map[int][]outcome) {
	for _, ch := range chapters {
		o, ok := ended[ch.number]
		if !ok {
			if s.customer.canceledAt(ch.number).IsZero() {
				f.add("chapter %d: no task has ended", ch.number)
			}
			continue
		}
		pages, err := s.records.Items(s.t.Context(), o.task.ID)
		if err != nil {
			f.add("task %s: %v", o.task.ID, err)
			continue
		}
		checkCounts(f, o.task, pages)
		for i, page := range pages {
			s.checkPage(f, !s.customer.canceledAt(ch.number).IsZero(), page, o.pages[i], calm[ch.number][i])
		}
	}
	var tasks int
	err := s.ask(s.t.Context(), `SELECT count(*) FROM task WHERE tenant = $1`, []any{s.customer.tenant}, &tasks)
	if err != nil || tasks != len(ended) {
		f.add("%d chapters were accepted and not deleted, and there are %d tasks (%v)", len(ended), tasks, err)
	}
}

// checkCounts holds a task against its page rows.
func checkCounts(f *findings, t schema.Task, pages []records.Item) {
	var succeeded, fallback int
	canceled := false
	for _, p := range pages {
		canceled = canceled || p.Status == core.StatusCanceled
		if p.Status == core.StatusSuccess {
			succeeded++
			if p.Mode == comic.ModeFallback {
				fallback++
			}
		}
		if !p.Status.Ended() {
			f.add("task %s has ended, and page %d is %s", t.ID, p.Ref.Index, p.Status)
		}
	}
	wanted := core.StatusPartial
	switch {
	case canceled, t.Status == core.StatusCanceled && t.CancelRequestedAt != nil: // perhaps at the last moment
		wanted = core.StatusCanceled
	case succeeded == len(pages):
		wanted = core.StatusSuccess
	case succeeded == 0:
		wanted = core.StatusError
	}
	fallbacks := comicschema.TaskOf(t).Details.FallbackCount
	if t.Status != wanted || t.SuccessCount != succeeded || t.FailedCount != len(pages)-succeeded || t.TotalCount != len(pages) ||
		fallbacks != fallback {
		f.add("task %s is %s with %d of %d pages, %d failed, %d by fallback; its pages make it %s with %d of %d, %d by fallback",
			t.ID, t.Status, t.SuccessCount, t.TotalCount, t.FailedCount, fallbacks, wanted, succeeded, len(pages), fallback)
	}
}

// checkPage holds a page against the one in calm. Only a corrupted blob may make a difference, and then it must be told, and a
// customer who cancels.
func (s *storm) checkPage(f *findings, canceled bool, page records.Item, got, calm outcome) {
	_, original := s.corrupted[page.Ref.Blob]
	_, result := s.corrupted[page.Result]
	switch {
	case got.status == calm.status && got.code == calm.code && got.unread == nil && got.image == calm.image:
	case original && got.code == core.CodeBlobCorrupt:
	case result && got.unread != nil:
	case canceled && (got.code == core.CodeCanceled || got.code == core.CodeTranslatorRefused): // nobody asks for it again
	default:
		f.add("task %s, page %d: %s; in calm: %s%s", page.Ref.TaskID, page.Ref.Index, got, calm, s.runsOf(page))
	}
}

// runsOf is what was tried at a page.
func (s *storm) runsOf(page records.Item) string {
	var runs string
	err := s.ask(s.t.Context(), `SELECT coalesce(string_agg(format(E'\n    %s %s on %s: %s %s %s', stage, attempt, host, outcome, code, message), ''
		ORDER BY started_at), '') FROM stage_run WHERE task_id = $1 AND item_index = $2`, []any{page.Ref.TaskID, page.Ref.Index}, &runs)
	if err != nil {
		return err.Error()
	}
	return runs
}
