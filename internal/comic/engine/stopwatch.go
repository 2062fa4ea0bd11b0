package engine

import (
	"maps"
	"time"

	"plait/internal/core"
)

// stopwatch measures the parts of a step. It does not count the time between the last part of one stopwatch and the start of another that
// continues from it: in that time a page waits for its device.
type stopwatch struct {
	parts map[string]time.Duration
	last  time.Time
}

func newStopwatch() *stopwatch { return (&stopwatch{}).goOn() }

// goOn returns a running stopwatch that starts with the times of w. It does not change w, and may be called any number of times.
func (w *stopwatch) goOn() *stopwatch {
	next := &stopwatch{parts: make(map[string]time.Duration), last: time.Now()}
	maps.Copy(next.parts, w.parts)
	return next
}

// lap ends a part, and adds the time since the last one to it.
func (w *stopwatch) lap(part string) {
	now := time.Now()
	w.parts[part] += now.Sub(w.last)
	w.last = now
}

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
