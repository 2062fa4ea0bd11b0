package comic

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/latency"
)

// startPages pages are begun before a chapter has measured its model: contexts that are kept for five minutes last for
// four translations of more than a minute each. Hosts that know their models to be slower let in fewer.
const startPages = 4

// detectsPerPage is for how many detects the model may have to wait, each as long as one hardly ever takes: that of the page
// to come, and the one that the device is busy with when it is asked for. With one alone, a device that is no faster than
// the model is idle from the end of a detect to the end of the translation that lets in the next.
const detectsPerPage = 2

// prefetchUpTo is what a translation takes at most for the next one to be asked for ahead of its turn. Asking takes some fifty
// milliseconds, which are nothing to a longer one; and those who wait for it would have to be asked for again.
const prefetchUpTo = 10 * time.Second

// Latencies are what a chapter has measured of its steps: of detects as long as a host has them, of translations from asking to
// the answer, with all their waiting behind the pages of other chapters.
type Latencies struct {
	Detect    latency.Estimate `json:"detect"`
	Translate latency.Estimate `json:"translate"`
	// TTL is how long hosts keep a lease; 0 before one has told.
	TTL time.Duration `json:"ttl,omitempty"`
}

// prefetch decides how many pages are detected before their translations are due.
type prefetch struct {
	Latencies
	// turned is when the turn to be translated has last come to a page.
	turned time.Time
}

// pages is how many are to be between the start of their detect and the end of their translation: as many as keep
// the model from waiting for a detect, and no more than are translated one after the other before the lease of
// the last expires. What is detected earlier than that only takes room from other chapters.
func (p *prefetch) pages() int {
	if !p.Translate.Known() {
		return startPages
	}
	wait := detectsPerPage * p.Detect.Upper()
	needed := 1 + int((wait+p.Translate.Mean-1)/p.Translate.Mean)
	if p.TTL > 0 {
		needed = min(needed, p.Translate.WithinLately(p.TTL*4/5))
	}
	return max(needed, 1)
}

// wait returns when it is time to begin one more page, or with the cancellation of ctx.
func (p *prefetch) wait(ctx workflow.Context, order *ordering) error {
	return workflow.Await(ctx, func() bool { return order.open < p.pages() })
}

// detected takes a detect into account. What it waited for a place on any host is left out: where leases are what all
// chapters wait for, those that asked for more of them because of it would only wait longer.
func (p *prefetch) detected(took time.Duration, found comic.DetectOutput) {
	if found.StepMS > 0 {
		took = time.Duration(found.StepMS) * time.Millisecond
	}
	p.Detect.See(took)
	if found.TTLSeconds > 0 {
		p.TTL = time.Duration(found.TTLSeconds) * time.Second
	}
}

// prefetchesTranslation reports whether a translation is worth to be asked for before those of the pages before it have ended.
func (p *prefetch) prefetchesTranslation() bool {
	return p.Translate.Known() && p.Translate.Upper() <= prefetchUpTo
}

// translated takes a translation into account that was asked for at that time and has succeeded now; one that failed says nothing
// of how long the next takes. What it waited for its turn is not its own.
func (p *prefetch) translated(asked, now time.Time) {
	if p.turned.After(asked) {
		asked = p.turned
	}
	p.Translate.See(now.Sub(asked))
}

// turn notes that the turn passes to the next page now.
func (p *prefetch) turn(now time.Time) { p.turned = now }
