package window

import (
	"sync"
	"time"
)

// Span is the work of one stage on one window.
type Span struct {
	Window int
	Stage  Stage
	Device string
	// Begin and End count from the start of the run.
	Begin, End time.Duration
}

// maxSpans bounds the spans of a timeline: about 800 windows. Busy times and the makespan count all windows.
const maxSpans = 4096

// Timeline is what devices did during a run, or will do.
type Timeline struct {
	// Devices are the names of the devices, in the order in which a window first comes to them.
	Devices []string
	// Spans are those of the first windows, in no order.
	Spans []Span
	// Makespan is the time from the begin of the first span to the end of the last.
	Makespan time.Duration
	// Busy is the time in which a device worked.
	Busy map[string]time.Duration
	// Windows is the number of windows.
	Windows int

	mu    sync.Mutex
	start time.Time
	first time.Duration // the begin of the first span, when Windows > 0
}

func newTimeline(devices []string) *Timeline {
	return &Timeline{Devices: devices, Busy: map[string]time.Duration{}, start: time.Now()}
}

func (t *Timeline) add(s Span) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Windows == 0 || s.Begin < t.first {
		t.first = s.Begin
	}
	t.Windows = max(t.Windows, s.Window+1)
	t.Busy[s.Device] += s.End - s.Begin
	t.Makespan = max(t.Makespan, s.End-t.first)
	if len(t.Spans) < maxSpans {
		t.Spans = append(t.Spans, s)
	}
}

// Utilization returns the part of the makespan in which a device worked, 0 to 1.
func (t *Timeline) Utilization(device string) float64 {
	if t.Makespan <= 0 {
		return 0
	}
	return float64(t.Busy[device]) / float64(t.Makespan)
}
