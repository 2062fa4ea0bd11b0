package window

import (
	"context"
	"time"
)

// Replay runs a schedule with stages that only take the times of a profile, in the place of devices: it shows what the schedule itself
// costs. devices are the names of devices, of which the third, if there is one, prepares.
func (p Profile) Replay(ctx context.Context, schedule Schedule, cut, windows int, devices []string) (*Timeline, error) {
	lanes := newLanes(devices)
	timeline := newTimeline(lanes.names())
	run := pipeline{
		schedule: schedule, stages: replay(p.times(cut)), lanes: lanes, timeline: timeline,
		next: func(_ context.Context, prev *Window) (*Window, error) {
			switch {
			case windows == 0 || prev != nil && prev.Index == windows-1:
				return nil, nil
			case prev == nil:
				return firstWindow(0, [stageCount]memory{}), nil
			default:
				return prev.next(), nil
			}
		},
		done: func(context.Context, *Window) error { return nil },
	}
	return timeline, run.run(ctx)
}

// replay has the times of the stages.
type replay [stageCount]time.Duration

func (r replay) works(s Stage) bool { return r[s] > 0 }

func (r replay) run(ctx context.Context, s Stage, _ *Window, before memory) (memory, error) {
	timer := time.NewTimer(r[s])
	defer timer.Stop()
	select {
	case <-timer.C:
		return before, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
