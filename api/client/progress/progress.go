// Package progress shows the progress of a task to a person or a program: as bars, as lines, or as JSON. It is independent of kinds: a
// kind supplies its words ([Kind]).
package progress

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"plait/api/schema"
	"plait/internal/core"
)

// Kind contains the words for the tasks of one kind of work. Every field may be empty.
type Kind struct {
	// Noun is the name of an item, such as "page"; the default is "item".
	Noun string
	// Heading describes a task, for example by its languages.
	Heading func(schema.Task) string
	// Stages are the bars of a task; the default is one bar that counts the items done.
	Stages []Stage
	// Total is where the bars end; the default is the number of items.
	Total func(schema.Task) int
	// Outcome describes how an item succeeded, in a few words.
	Outcome func(schema.Item) string
	// Summary returns further lines about a task that has ended.
	Summary func(schema.Task) []string
	// Report fetches what else there is to say about a task that has ended, with get, which decodes the answer at a path; nil for nothing.
	Report func(ctx context.Context, get Get, t schema.Task) ([]string, error)
}

// Get fetches the JSON at a path of the API.
type Get func(ctx context.Context, path string, into any) error

// Stage is one bar: the number of items that have passed a stage.
type Stage struct {
	Name  string
	Count func(schema.Task) int
}

// Kinds maps each kind to its words.
type Kinds map[core.Kind]Kind

// of returns words for a task of any kind, with defaults for missing fields.
func (k Kinds) of(t schema.Task) Kind {
	w := k[t.Kind]
	if w.Noun == "" {
		w.Noun = "item"
	}
	if w.Heading == nil {
		w.Heading = func(t schema.Task) string { return string(t.Kind) }
	}
	if len(w.Stages) == 0 {
		w.Stages = []Stage{{"Done", func(t schema.Task) int { return t.Progress.Done }}}
	}
	if w.Total == nil {
		w.Total = func(t schema.Task) int { return t.TotalCount }
	}
	if w.Outcome == nil {
		w.Outcome = func(schema.Item) string { return "done" }
	}
	if w.Summary == nil {
		w.Summary = func(schema.Task) []string { return nil }
	}
	return w
}

// outcome describes how an item ended, in a few words.
func (k Kind) outcome(i schema.Item) string {
	switch {
	case i.Failure != nil:
		return failed(*i.Failure)
	case i.Status == core.StatusCanceled:
		return "canceled"
	default:
		return k.Outcome(i)
	}
}

func failed(f schema.Failure) string {
	if f.Stage == "" {
		return "failed: " + f.Message
	}
	return fmt.Sprintf("failed in %s: %s", f.Stage, f.Message)
}

// Display shows a run to its user.
type Display interface {
	// Part reports a change of the state of a part of the embedded stack.
	Part(name, state string)
	// Note shows one line before the pages begin.
	Note(line string)
	// Task shows the current state of a task; callers call it whenever the task may have changed.
	Task(t schema.Task)
	// End shows the final lines.
	End(lines ...string)
}

// jsonDisplay prints one JSON line per event, for programs.
type jsonDisplay struct {
	out  *json.Encoder
	last map[int]string
	seen string
}

// New returns the display that fits out: JSON lines if asked for, bars at a terminal, and lines elsewhere.
func New(out io.Writer, asJSON bool, kinds Kinds) Display {
	file, isFile := out.(*os.File)
	switch {
	case asJSON:
		return NewJSON(out)
	case isFile && term.IsTerminal(int(file.Fd())):
		return NewBars(out, kinds)
	default:
		return NewLines(out, kinds)
	}
}

// NewJSON returns a display that prints one JSON line per event.
func NewJSON(w io.Writer) Display {
	return synchronized(&jsonDisplay{out: json.NewEncoder(w), last: map[int]string{}})
}

func (d *jsonDisplay) Part(name, state string) {
	_ = d.out.Encode(map[string]any{"event": "part", "part": name, "state": state})
}

func (d *jsonDisplay) Note(line string) { d.End(line) }

func (d *jsonDisplay) Task(t schema.Task) {
	for _, i := range t.Items {
		if state := fmt.Sprint(i.Status, i.Stage, i.Mode); d.last[i.Index] != state {
			d.last[i.Index] = state
			_ = d.out.Encode(map[string]any{"event": "item", "task": t.ID, "item": i})
		}
	}
	state := fmt.Sprint(t.Status, t.Progress.Done, string(t.Details))
	if t.Progress.Trouble != nil {
		state += t.Progress.Trouble.Message
	}
	if d.seen != state {
		d.seen = state
		t.Items = nil
		_ = d.out.Encode(map[string]any{"event": "task", "task": t})
	}
}

func (d *jsonDisplay) End(lines ...string) {
	for _, line := range lines {
		_ = d.out.Encode(map[string]any{"event": "message", "message": line})
	}
}

// plainDisplay prints a line for each change, for logs and pipes.
type plainDisplay struct {
	out     io.Writer
	kinds   Kinds
	done    map[int]bool
	from    time.Time
	notices notices
}

// notices finds what of a task is worth a line of its own, once: the beginning of a pause, and a failure that is tried again.
type notices struct {
	paused bool
	// trouble is the last failure that was told, and done the number of items that had ended then.
	trouble string
	done    int
}

func (n *notices) lines(t schema.Task, noun string) (lines []string) {
	before := n.paused
	n.paused = t.Status == core.StatusPaused
	if n.paused && !before {
		lines = append(lines, "Paused: plait resume "+t.ID+" has it go on.")
	}
	trouble := t.Progress.Trouble
	if trouble == nil || n.trouble == trouble.Message && n.done == t.Progress.Done {
		return lines
	}
	n.trouble, n.done = trouble.Message, t.Progress.Done
	of := ""
	if t.TotalCount > 1 {
		of = fmt.Sprintf(" %s %d", noun, trouble.ItemIndex+1)
	}
	return append(lines, fmt.Sprintf("Trying%s again: %s", of, trouble.Message))
}

// NewLines returns a display that prints a line for each change.
func NewLines(w io.Writer, kinds Kinds) Display {
	return synchronized(&plainDisplay{out: w, kinds: kinds, done: map[int]bool{}, from: time.Now()})
}

func (d *plainDisplay) Part(name, state string) { fmt.Fprintf(d.out, "%s: %s\n", name, state) }

func (d *plainDisplay) Note(line string) { fmt.Fprintln(d.out, line) }

func (d *plainDisplay) Task(t schema.Task) {
	words := d.kinds.of(t)
	for _, line := range d.notices.lines(t, words.Noun) {
		d.Note(line)
	}
	for _, i := range t.Items {
		if !i.Status.Ended() || d.done[i.Index] {
			continue
		}
		d.done[i.Index] = true
		fmt.Fprintf(d.out, "[%d/%d] %s: %s  (%s%s)\n",
			len(d.done), t.TotalCount, core.Printable(i.Name), words.outcome(i), Clock(time.Since(d.from)), estimate(t.Progress))
	}
}

func (d *plainDisplay) End(lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(d.out, line)
	}
}

// Count formats a number with its noun.
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

// Clock formats a duration as minutes:seconds.
func Clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// estimate says when a queued task starts, or when a running one ends.
func estimate(p schema.Progress) string {
	if p.QueuePosition > 0 {
		return queued(p)
	}
	if p.EstimatedMS == nil || p.Done == p.Total {
		return ""
	}
	return ", about " + Clock(time.Duration(*p.EstimatedMS)*time.Millisecond) + " left"
}

func queued(p schema.Progress) string {
	if p.EstimatedStart == nil {
		return fmt.Sprintf(", number %d in queue", p.QueuePosition)
	}
	return ", starts in " + Clock(max(time.Until(*p.EstimatedStart), 0))
}

// barDisplay draws one bar per stage, for a person at a terminal.
type barDisplay struct {
	out      io.Writer
	kinds    Kinds
	options  []mpb.ContainerOption
	progress *mpb.Progress
	bars     []*mpb.Bar
	latest   atomic.Pointer[schema.Progress] // read by the goroutine that draws
	failed   map[int]bool
	notices  notices
}

// NewBars returns a display that draws one bar per stage on w. The options are for a w that is not a terminal.
func NewBars(w io.Writer, kinds Kinds, options ...mpb.ContainerOption) Display {
	return synchronized(&barDisplay{out: w, kinds: kinds, options: options, failed: map[int]bool{}})
}

func (d *barDisplay) Part(name, state string) { d.Note(fmt.Sprintf("%-9s %s", name, state)) }

// Note prints above the bars when they are shown.
func (d *barDisplay) Note(line string) {
	if d.progress != nil {
		fmt.Fprintln(d.progress, "  "+line)
		return
	}
	fmt.Fprintln(d.out, "  "+line)
}

func (d *barDisplay) Task(t schema.Task) {
	d.latest.Store(&t.Progress)
	words := d.kinds.of(t)
	if d.progress == nil {
		d.start(t, words)
	}
	for _, line := range d.notices.lines(t, words.Noun) {
		d.Note(line)
	}
	for _, i := range t.Items {
		if i.Failure != nil && !d.failed[i.Index] {
			d.failed[i.Index] = true
			fmt.Fprintf(d.progress, "  %s: %s\n", core.Printable(i.Name), words.outcome(i))
		}
	}
	for n, stage := range words.Stages {
		d.bars[n].SetCurrent(int64(stage.Count(t)))
	}
	if t.Status.Ended() {
		d.close()
	}
}

func (d *barDisplay) start(t schema.Task, words Kind) {
	fmt.Fprintf(d.out, "\n  %s · %s · %s\n\n", core.Printable(t.Title), words.Heading(t), Count(t.TotalCount, words.Noun))
	d.progress = mpb.New(append([]mpb.ContainerOption{
		mpb.WithOutput(d.out), mpb.WithWidth(40), mpb.WithRefreshRate(120 * time.Millisecond),
	}, d.options...)...)
	style := mpb.BarStyle().Lbound(" ").Rbound(" ").Filler("━").Tip("━").Padding("─")
	for i, stage := range words.Stages {
		after := []decor.Decorator{decor.CountersNoUnit("%d/%d", decor.WCSyncWidth)}
		if i == len(words.Stages)-1 {
			after = append(after, decor.Any(func(decor.Statistics) string {
				latest := d.latest.Load()
				return "  " + Clock(time.Duration(latest.ElapsedMS)*time.Millisecond) + estimate(*latest)
			}))
		}
		d.bars = append(d.bars, d.progress.New(int64(words.Total(t)), style,
			mpb.PrependDecorators(decor.Name(fmt.Sprintf("  %-10s", stage.Name))),
			mpb.AppendDecorators(after...)))
	}
}

// close leaves the bars at their current positions: a page that failed early never reaches the later stages.
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

// shared lets the goroutines of a stack report on its parts while a task is shown.
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
