package chaos_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"plait/internal/llmtest"
)

// pageOfChapter names a page across tenants.
type pageOfChapter struct{ chapter, page int }

// bill is the account of the model calls of a storm.
type bill struct {
	// asked and answered are the calls that the server saw, recorded those that the ledger has an answer of.
	asked, answered, recorded int
	// lost were answered and are not in the ledger: their caller was killed, cut off or frozen in that moment. twice were
	// recorded a second time.
	lost, twice int
}

const (
	// recordedWithin is how long an answer may wait for its record, through an outage of Postgres.
	recordedWithin = 2 * time.Minute
	// onTheWay is how long an answer may be between the server and its caller.
	onTheWay = 2 * time.Second
)

// checkCalls holds what the model server answered against the ledger. An answer that is not in the ledger was paid for and is
// going to be again; that may be only in one window: between the answer and its record, when the caller died, or the answer
// did not reach it in time.
func (s *storm) checkCalls(f *findings) {
	answers := map[pageOfChapter][]llmtest.Call{}
	for _, call := range s.stormy.Calls() {
		s.bill.asked++
		var at pageOfChapter
		if _, err := fmt.Sscanf(call.Segments[0], "%d話%d頁", &at.chapter, &at.page); err != nil {
			f.add("a call for no page: %q", call.Segments)
		}
		if !call.Answered.IsZero() {
			s.bill.answered++
			answers[at] = append(answers[at], call)
		}
	}
	recorded := s.ledger(f)
	tasks := s.customer.tasks()
	for at, calls := range answers {
		var excuses []string
		for _, call := range calls {
			if excuse := s.windowOf(at.chapter, call); excuse != "" {
				excuses = append(excuses, excuse)
			}
		}
		missing := len(calls) - recorded[at]
		if missing > len(excuses) {
			f.add("task %s, page %d: the model answered %d times, %d answers are in the ledger, and only these were in the window: %s; asked by %s",
				tasks[at.chapter], at.page, len(calls), recorded[at], strings.Join(excuses, ", "), callers(calls))
		}
		s.bill.lost += max(missing, 0)
	}
}

// ledger is how many answers are recorded for each page. An answer that was recorded twice was paid for twice.
func (s *storm) ledger(f *findings) map[pageOfChapter]int {
	recorded := map[pageOfChapter]int{}
	chapters := map[string]int{}
	for chapter, task := range s.customer.tasks() {
		chapters[task] = chapter
	}
	conn, err := pgx.Connect(s.t.Context(), s.url)
	if err != nil {
		f.add("the ledger cannot be read: %v", err)
		return recorded
	}
	defer conn.Close(s.t.Context())
	rows, err := conn.Query(s.t.Context(), `SELECT task_id, item_index, count(*) FROM model_call
		WHERE tenant = $1 AND outcome = 'ok' GROUP BY task_id, item_index, request_key`, s.customer.tenant)
	if err != nil {
		f.add("the ledger cannot be read: %v", err)
		return recorded
	}
	var task string
	var page, n int
	_, err = pgx.ForEachRow(rows, []any{&task, &page, &n}, func() error {
		recorded[pageOfChapter{chapters[task], page}] += n
		s.bill.recorded += n
		if n > 1 {
			s.bill.twice += n - 1
			f.add("task %s, page %d: one question was paid for %d times", task, page, n)
		}
		return nil
	})
	if err != nil {
		f.add("the ledger cannot be read: %v", err)
	}
	return recorded
}

// windowOf is what befell the caller, or the chapter, between the answer and its record, empty when nothing did.
func (s *storm) windowOf(chapter int, call llmtest.Call) string {
	caller := call.Header.Get(headerLife)
	if canceled := s.customer.canceledAt(chapter); !canceled.IsZero() && call.Answered.After(canceled.Add(-onTheWay)) {
		return "the chapter was canceled"
	}
	for _, cut := range s.toModel.cutTimes() {
		if cut.After(call.Answered.Add(-onTheWay)) && cut.Before(call.Answered.Add(onTheWay)) {
			return caller + " was cut off"
		}
	}
	if call.Answered.Sub(call.Asked) > modelTimeout-onTheWay {
		return caller + " had given up"
	}
	l := s.lifeOf(caller)
	switch {
	case l.killed.After(call.Asked) && l.killed.Before(call.Answered.Add(recordedWithin)): // the server may answer one that is dead
		return caller + " was killed"
	case l.froze.Before(call.Answered.Add(onTheWay)) && l.melted.After(call.Answered):
		return caller + " was frozen"
	}
	return ""
}

// lifeOf is the life of that name, as it now stands; its zero value when there is none.
func (s *storm) lifeOf(name string) life {
	for _, k := range s.parts() {
		if l, ok := k.lifeOf(name); ok {
			return l
		}
	}
	return life{}
}

func callers(calls []llmtest.Call) string {
	names := make([]string, len(calls))
	for i, call := range calls {
		names[i] = call.Header.Get(headerLife)
	}
	return strings.Join(names, ", ")
}
