// Package progress shows a person or a program how a task goes: as bars, as lines, or as JSON.
package progress

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"plait/api/schema"
	"plait/internal/comic"
	"plait/internal/core"
)

// Display shows a run to whoever watches it.
type Display interface {
	// Part says that a part of the embedded stack changed its state.
	Part(name, state string)
	// Note says one thing before the pages begin.
	Note(line string)
	// Task shows a task as it is now; it is called as often as the task may have changed.
	Task(t schema.Task)
	// End says what is left to say, line by line.
	End(lines ...string)
}

// jsonDisplay prints one JSON line an event, for programs.
type jsonDisplay struct {
	out  *json.Encoder
	last map[int]string
	seen string
}

// NewJSON prints one JSON line an event.
func NewJSON(w io.Writer) Display {
	return synchronized(&jsonDisplay{out: json.NewEncoder(w), last: map[int]string{}})
}

func (d *jsonDisplay) Part(name, state string) {
	_ = d.out.Encode(map[string]any{"event": "part", "part": name, "state": state})
}

func (d *jsonDisplay) Note(line string) { d.End(line) }

func (d *jsonDisplay) Task(t schema.Task) {
	for _, p := range t.Pages {
		if state := fmt.Sprint(p.Status, p.Stage, p.Mode); d.last[p.Index] != state {
			d.last[p.Index] = state
			_ = d.out.Encode(map[string]any{"event": "page", "task": t.ID, "page": p})
		}
	}
	state := fmt.Sprint(t.Status, t.Progress.Detected, t.Progress.Translated, t.Progress.Done)
	if d.seen != state {
		d.seen = state
		t.Pages = nil
		_ = d.out.Encode(map[string]any{"event": "task", "task": t})
	}
}

func (d *jsonDisplay) End(lines ...string) {
	for _, line := range lines {
		_ = d.out.Encode(map[string]any{"event": "message", "message": line})
	}
}

// plainDisplay prints a line when something has changed, for logs and pipes.
type plainDisplay struct {
	out    io.Writer
	done   map[int]bool
	from   time.Time
	pauses pauses
}

// pauses tells when a task begins to pause.
type pauses struct{ paused bool }

// line is what a person is told of it, once a pause; empty otherwise.
func (p *pauses) line(t schema.Task) string {
	before := p.paused
	p.paused = t.Status == core.StatusPaused
	if before || !p.paused {
		return ""
	}
	return "Paused: plait resume " + t.ID + " has it go on."
}

// NewLines prints a line when something has changed.
func NewLines(w io.Writer) Display {
	return synchronized(&plainDisplay{out: w, done: map[int]bool{}, from: time.Now()})
}

func (d *plainDisplay) Part(name, state string) { fmt.Fprintf(d.out, "%s: %s\n", name, state) }

func (d *plainDisplay) Note(line string) { fmt.Fprintln(d.out, line) }

func (d *plainDisplay) Task(t schema.Task) {
	if line := d.pauses.line(t); line != "" {
		d.Note(line)
	}
	for _, p := range t.Pages {
		if !p.Status.Ended() || d.done[p.Index] {
			continue
		}
		d.done[p.Index] = true
		fmt.Fprintf(d.out, "[%d/%d] %s: %s  (%s%s)\n", len(d.done), t.TotalCount, core.Printable(p.Name), outcome(p), Clock(time.Since(d.from)), estimate(t.Progress))
	}
}

func (d *plainDisplay) End(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(d.out, line)
	}
}

// outcome is how a page ended, in a few words.
func outcome(p schema.Page) string {
	switch {
	case p.Failure != nil:
		return fmt.Sprintf("failed in %s: %s", p.Failure.Stage, p.Failure.Message)
	case p.Status == core.StatusCanceled:
		return "canceled"
	case p.NoChangeReason == comic.NoText:
		return "no text, left as it is"
	}
	text := Count(p.Regions, "text")
	if p.Untranslated > 0 {
		text += fmt.Sprintf(", %d left untranslated", p.Untranslated)
	}
	if p.Mode == comic.ModeFallback {
		text += ", by the fallback"
	}
	return text
}

// Count is a number with its noun.
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	default:
		return fmt.Sprintf("%d %ss", n, noun)
	}
}

// Clock is a duration as minutes:seconds.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func estimate(p schema.Progress) string {
	if p.EstimatedMS == nil || p.Done == p.Total {
		return ""
	}
	return ", about " + Clock(time.Duration(*p.EstimatedMS)*time.Millisecond) + " left"
}

// barDisplay draws a bar a stage, for a person at a terminal.
type barDisplay struct {
	out      io.Writer
	options  []mpb.ContainerOption
	progress *mpb.Progress
	bars     []*mpb.Bar
	latest   atomic.Pointer[schema.Progress] // read by the goroutine that draws
	failed   map[int]bool
	pauses   pauses
}

// NewBars draws a bar a stage on w; options are for one that is no terminal.
func NewBars(w io.Writer, options ...mpb.ContainerOption) Display {
	return synchronized(&barDisplay{out: w, options: options, failed: map[int]bool{}})
}

func (d *barDisplay) Part(name, state string) { d.Note(fmt.Sprintf("%-9s %s", name, state)) }

// Note prints above the bars, where there are some.
func (d *barDisplay) Note(line string) {
	if d.progress != nil {
		fmt.Fprintln(d.progress, "  "+line)
		return
	}
	fmt.Fprintln(d.out, "  "+line)
}

func (d *barDisplay) Task(t schema.Task) {
	d.latest.Store(&t.Progress)
	if d.progress == nil {
		d.start(t)
	}
	if line := d.pauses.line(t); line != "" {
		fmt.Fprintln(d.progress, "  "+line)
	}
	for _, p := range t.Pages {
		if p.Failure != nil && !d.failed[p.Index] {
			d.failed[p.Index] = true
			fmt.Fprintf(d.progress, "  %s: %s\n", core.Printable(p.Name), outcome(p))
		}
	}
	for i, n := range []int{t.Progress.Detected, t.Progress.Translated, t.Progress.Done} {
		d.bars[i].SetCurrent(int64(n))
	}
	if t.Status.Ended() {
		d.close()
	}
}

func (d *barDisplay) start(t schema.Task) {
	fmt.Fprintf(d.out, "\n  %s · %s → %s · %s\n\n", core.Printable(t.Title), t.From, t.To, Count(t.TotalCount, "page"))
	d.progress = mpb.New(append([]mpb.ContainerOption{
		mpb.WithOutput(d.out), mpb.WithWidth(40), mpb.WithRefreshRate(120 * time.Millisecond),
	}, d.options...)...)
	style := mpb.BarStyle().Lbound(" ").Rbound(" ").Filler("━").Tip("━").Padding("─")
	names := []string{"Read", "Translate", "Letter"}
	for i, name := range names {
		after := []decor.Decorator{decor.CountersNoUnit("%d/%d", decor.WCSyncWidth)}
		if i == len(names)-1 {
			after = append(after, decor.Any(func(decor.Statistics) string {
				latest := d.latest.Load()
				return "  " + Clock(time.Duration(latest.ElapsedMS)*time.Millisecond) + estimate(*latest)
			}))
		}
		d.bars = append(d.bars, d.progress.New(int64(t.TotalCount), style,
			mpb.PrependDecorators(decor.Name("  "+name+strings.Repeat(" ", 10-len(name)))),
			mpb.AppendDecorators(after...)))
	}
}

// close leaves the bars as they stand: a page that failed early never reaches the later stages.
func (d *barDisplay) close() {
	if d.progress == nil {
		return
	}
	for _, b := range d.bars {
		if !b.Completed() {
			b.Abort(false)
		}
	}
	d.progress.Wait()
}

func (d *barDisplay) End(lines ...string) {
	d.close()
	fmt.Fprintln(d.out)
	for _, line := range lines {
		fmt.Fprintln(d.out, "  "+line)
	}
}

// shared lets the goroutines of a stack tell of its parts while a task is shown.
type shared struct {
	mu sync.Mutex
	to Display
}

func synchronized(d Display) Display { return &shared{to: d} }

func (s *shared) locked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *shared) Part(name, state string) { s.locked(func() { s.to.Part(name, state) }) }
func (s *shared) Note(line string)        { s.locked(func() { s.to.Note(line) }) }
func (s *shared) Task(t schema.Task)      { s.locked(func() { s.to.Task(t) }) }
func (s *shared) End(lines ...string)     { s.locked(func() { s.to.End(lines...) }) }
