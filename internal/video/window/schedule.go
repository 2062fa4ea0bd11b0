package window

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Stage is a part of the work on a window.
type Stage int

// The stages in the order in which a window passes them. The cut divides the blocks into the first, on device 0, and the last, on
// device 1.
const (
	Prepare Stage = iota
	FirstBlocks
	LastBlocks
	Decode
	Color
	stageCount
)

var stageNames = [stageCount]string{"prepare", "first blocks", "last blocks", "decode", "color"}

func (s Stage) String() string {
	if s < 0 || s >= stageCount {
		return "unknown"
	}
	return stageNames[s]
}

// Schedule says which stages of which windows run at the same time.
type Schedule string

// The schedules: see the package.
const (
	Sequential Schedule = "sequential"
	Basic      Schedule = "basic"
	Aggressive Schedule = "aggressive"
)

// Schedules are all schedules.
var Schedules = []Schedule{Sequential, Basic, Aggressive}

// groups returns which stages follow one another in one goroutine. Groups run side by side, each on another window.
func (s Schedule) groups() [][]Stage {
	switch s {
	case Basic:
		return [][]Stage{{Prepare, FirstBlocks}, {LastBlocks, Decode, Color}}
	case Aggressive:
		return [][]Stage{{Prepare}, {FirstBlocks}, {LastBlocks, Decode, Color}}
	case Sequential:
	}
	return [][]Stage{{Prepare, FirstBlocks, LastBlocks, Decode, Color}}
}

// queued is how many windows wait between two groups, beside those in work. It bounds the memory of a run.
const queued = 1

// lane is a device, which works on one stage at a time.
type lane struct {
	name string
	free chan struct{} // has a value while the device is free
}

func newLane(name string) *lane {
	l := &lane{name: name, free: make(chan struct{}, 1)}
	l.free <- struct{}{}
	return l
}

func (l *lane) use(ctx context.Context, work func() error) error {
	select {
	case <-l.free:
		defer func() { l.free <- struct{}{} }()
		return work()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lanes are the devices of the stages. Several stages may have one lane.
type lanes [stageCount]*lane

// newLanes spreads the stages over devices with these names: one for all, two, or a third that prepares.
func newLanes(names []string) lanes {
	devices := make([]*lane, len(names))
	for i, name := range names {
		devices[i] = newLane(name)
	}
	first, last := devices[0], devices[min(1, len(devices)-1)]
	prepare := first
	if len(devices) > 2 {
		prepare = devices[2]
	}
	return lanes{Prepare: prepare, FirstBlocks: first, LastBlocks: last, Decode: last, Color: last}
}

// names returns the names of the devices in the order of their first stage.
func (l lanes) names() []string {
	var names []string
	for _, lane := range l {
		if !slices.Contains(names, lane.name) {
			names = append(names, lane.name)
		}
	}
	return names
}

// stages does the work of stages. A run of a stage on a window reads and writes what the window carries, and returns the memory that
// the stage leaves. It has no work for a stage without files.
type stages interface {
	run(ctx context.Context, s Stage, w *Window, before memory) (memory, error)
	works(s Stage) bool
}

// pipeline runs the stages of windows in the order of a schedule.
type pipeline struct {
	schedule Schedule
	stages   stages
	lanes    lanes
	timeline *Timeline
	// next returns the window after prev, or nil after the last; prev is nil for the first.
	next func(ctx context.Context, prev *Window) (*Window, error)
	// done takes each window, in order, after its last stage.
	done func(ctx context.Context, w *Window) error
}

// run ends with the last window, or with the first error, after everything that was started has ended.
func (p *pipeline) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	fed := make(chan *Window, queued)
	group.Go(func() error {
		defer close(fed)
		return p.feed(ctx, fed)
	})
	last := fed
	for _, stages := range p.schedule.groups() {
		from, to := last, make(chan *Window, queued)
		last = to
		group.Go(func() error {
			defer close(to)
			return each(ctx, from, func(w *Window) error {
				for _, s := range stages {
					if err := p.step(ctx, s, w); err != nil {
						return err
					}
				}
				return send(ctx, to, w)
			})
		})
	}
	group.Go(func() error {
		return each(ctx, last, func(w *Window) error { return p.done(ctx, w) })
	})
	return group.Wait()
}

func (p *pipeline) feed(ctx context.Context, to chan<- *Window) error {
	var w *Window
	for {
		var err error
		if w, err = p.next(ctx, w); err != nil || w == nil {
			return err
		}
		if err := send(ctx, to, w); err != nil {
			return err
		}
	}
}

func (p *pipeline) step(ctx context.Context, s Stage, w *Window) error {
	return w.step(ctx, s, func(before memory) (after memory, err error) {
		if !p.stages.works(s) {
			return before, nil
		}
		err = p.lanes[s].use(ctx, func() error {
			begin := time.Now()
			after, err = p.stages.run(ctx, s, w, before)
			p.timeline.add(Span{Window: w.Index, Stage: s, Device: p.lanes[s].name, Begin: begin.Sub(p.timeline.start), End: time.Since(p.timeline.start)})
			return err
		})
		if err != nil && ctx.Err() == nil {
			err = fmt.Errorf("window %d, %s: %w", w.Index, s, err)
		}
		return after, err
	})
}

// each calls do with each window until the channel is closed.
func each(ctx context.Context, from <-chan *Window, do func(*Window) error) error {
	for {
		select {
		case w, open := <-from:
			if !open {
				return ctx.Err()
			}
			if err := do(w); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func send(ctx context.Context, to chan<- *Window, w *Window) error {
	select {
	case to <- w:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
