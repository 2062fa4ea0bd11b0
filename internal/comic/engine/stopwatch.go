package engine

import (
	"maps"
	"time"

	"plait/internal/core"
)

// stopwatch measures the parts of a step. It stands still between a part that another stopwatch goes on from and that one's
// beginning: a page waits for its device there.
type stopwatch struct {
	parts map[string]time.Duration
	last  time.Time
}

func newStopwatch() *stopwatch { return (&stopwatch{}).goOn() }

// goOn is a stopwatch that has measured what w has, and runs from now on. Any number may go on from w, which stays as it is.
func (w *stopwatch) goOn() *stopwatch {
	next := &stopwatch{parts: make(map[string]time.Duration), last: time.Now()}
	maps.Copy(next.parts, w.parts)
	return next
}

// lap ends a part, or another piece of one.
func (w *stopwatch) lap(part string) {
	now := time.Now()
	w.parts[part] += now.Sub(w.last)
	w.last = now
}

// skip leaves out what happened since the last part.
func (w *stopwatch) skip() { w.last = time.Now() }

// total is the time of each part, and of all of them under "total".
func (w *stopwatch) total() core.ElapsedMS {
	elapsed, sum := core.ElapsedMS{}, time.Duration(0)
	for part, took := range w.parts {
		elapsed[part] = took.Milliseconds()
		sum += took
	}
	elapsed["total"] = sum.Milliseconds()
	return elapsed
}
