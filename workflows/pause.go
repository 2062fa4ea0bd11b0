package workflows

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// The signals that pause and resume a task. Their argument is the revision of the task's row.
const (
	signalPause  = "pause"
	signalResume = "resume"
)

// Pause is the known state of a task's pauses, by the latest revision.
type Pause struct {
	Paused bool `json:"paused"`
	// Revision counts the pauses and resumes of the task, because signals can arrive out of order.
	Revision int `json:"revision"`
}

// gate stops a paused task from starting items and model calls. Those in progress finish.
type gate struct {
	Pause
	tracker       *tracker
	pause, resume workflow.ReceiveChannel
	// held counts the steps that are run again because of a pause.
	held int
}

// newGate starts to receive signals; carried is the state already known, and may be nil.
func newGate(ctx workflow.Context, carried *Pause, tracker *tracker) *gate {
	g := &gate{
		tracker: tracker,
		pause:   workflow.GetSignalChannel(ctx, signalPause), resume: workflow.GetSignalChannel(ctx, signalResume),
	}
	if carried != nil {
		g.Pause = *carried
		tracker.paused = g.Paused
	}
	workflow.GoNamed(ctx, "pause", func(ctx workflow.Context) {
		ctx, cancel := workflow.NewDisconnectedContext(ctx)
		defer cancel()
		for workflow.Await(ctx, func() bool { return g.pause.Len()+g.resume.Len() > 0 }) == nil {
			g.hear(ctx)
		}
	})
	return g
}

// hear processes the signals that have arrived.
func (g *gate) hear(ctx workflow.Context) {
	var revision int
	for g.pause.ReceiveAsync(&revision) {
		g.set(ctx, Pause{Paused: true, Revision: revision})
	}
	for g.resume.ReceiveAsync(&revision) {
		g.set(ctx, Pause{Revision: revision})
	}
}

func (g *gate) set(ctx workflow.Context, p Pause) {
	if p.Revision < g.Revision {
		return
	}
	changed := p.Paused != g.Paused
	g.Pause = p
	if changed {
		g.tracker.paused = p.Paused
		workflow.SetCurrentDetails(ctx, g.tracker.details())
		setStatus(ctx, g.status())
	}
}

// hold pauses a task after a step has found the pause in the records, before its signal. It does nothing if a signal with a revision above
// known has arrived since, because that is newer.
func (g *gate) hold(ctx workflow.Context, known int) {
	g.held++
	if g.Revision == known {
		g.set(ctx, Pause{Paused: true, Revision: known})
	}
}

// wait returns once the task is not paused, or with the cancellation of ctx.
func (g *gate) wait(ctx workflow.Context) error {
	return workflow.Await(ctx, func() bool { return !g.Paused })
}

func (g *gate) status() core.Status {
	if g.Paused {
		return core.StatusPaused
	}
	return core.StatusRunning
}

// carried returns the state that a continued run needs.
func (g *gate) carried(ctx workflow.Context) *Pause {
	g.hear(ctx)
	if g.Pause == (Pause{}) {
		return nil
	}
	return &g.Pause
}
