package workflows

import (
	"go.temporal.io/sdk/workflow"

	"plait/internal/core"
)

// The signals that pause a task and have it go on. Their argument is the revision of the task's row.
const (
	signalPause  = "pause"
	signalResume = "resume"
)

// Pause says whether a task pauses, by the latest of its pauses and resumes that is known.
type Pause struct {
	Paused bool `json:"paused"`
	// Revision counts the pauses and resumes of the task: signals may overtake each other.
	Revision int `json:"revision"`
}

// gate keeps a task from beginning items and model calls while it pauses. What it has begun ends.
type gate struct {
	Pause
	tracker       *tracker
	pause, resume workflow.ReceiveChannel
	// held counts the steps that are run again because of a pause.
	held int
}

// newGate listens from now on; carried is what is known already, and may be nil.
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

// hear takes the signals that have come.
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

// hold pauses a task whose step found in the records that it pauses: the signal is on its way. One that has come since, after
// the known revision, tells more than the step.
func (g *gate) hold(ctx workflow.Context, known int) {
	g.held++
	if g.Revision == known {
		g.set(ctx, Pause{Paused: true, Revision: known})
	}
}

// wait returns once the task does not pause, or with the cancellation of ctx.
func (g *gate) wait(ctx workflow.Context) error {
	return workflow.Await(ctx, func() bool { return !g.Paused })
}

func (g *gate) status() core.Status {
	if g.Paused {
		return core.StatusPaused
	}
	return core.StatusRunning
}

// carried is what a new run must know.
func (g *gate) carried(ctx workflow.Context) *Pause {
	g.hear(ctx)
	if g.Pause == (Pause{}) {
		return nil
	}
	return &g.Pause
}
