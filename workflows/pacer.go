package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"plait/internal/pace"
)

// startAhead pages are begun before a chapter has measured its model: contexts that are kept for five minutes last for
// four translations of more than a minute each. Hosts that know their models to be slower let in fewer.
const startAhead = 4

// Pace is what a chapter has measured of its steps, from asking to the answer: with all their waiting, also behind the
// pages of other chapters.
type Pace struct {
	Detect    pace.Estimate `json:"detect"`
	Translate pace.Estimate `json:"translate"`
	// TTL is how long hosts keep a context; 0 before one has told.
	TTL time.Duration `json:"ttl,omitempty"`
}

// ahead is how many pages are to be between the start of their detect and the end of their translation: as many as keep
// the model from waiting for a detect, and no more than are translated one after the other before the context of
// the last expires. What is detected earlier than that only takes room from other chapters.
func (p *Pace) ahead() int {
	if !p.Translate.Known() {
		return startAhead
	}
	needed := 1 + int((p.Detect.Upper()+p.Translate.Mean-1)/p.Translate.Mean)
	if p.TTL > 0 {
		needed = min(needed, p.Translate.Within(p.TTL*4/5))
	}
	return max(needed, 1)
}

// pacer times the detects of a chapter. It is nil in chapters that were begun without one: they detect as far ahead as
// their window goes.
type pacer struct{ Pace }

// newPacer goes on from what earlier runs measured; carried may be nil.
func newPacer(ctx workflow.Context, carried *Pace) *pacer {
	if workflow.GetVersion(ctx, changePace, workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return nil
	}
	p := &pacer{}
	if carried != nil {
		p.Pace = *carried
	}
	return p
}

// wait returns when it is time to begin one more page, or with the cancellation of ctx.
func (p *pacer) wait(ctx workflow.Context, order *turns) error {
	if p == nil {
		return nil
	}
	return workflow.Await(ctx, func() bool { return order.open < p.ahead() })
}

func (p *pacer) detected(took, ttl time.Duration) {
	p.Detect.See(took)
	if ttl > 0 {
		p.TTL = ttl
	}
}

// translated takes a translation into account; one that failed says nothing of how long the next takes.
func (p *pacer) translated(took time.Duration, err error) {
	if p != nil && err == nil {
		p.Translate.See(took)
	}
}

// carried is what a new run goes on from.
func (p *pacer) carried() *Pace {
	if p == nil {
		return nil
	}
	return &p.Pace
}
