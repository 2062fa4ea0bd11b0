package comic

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"plait/internal/comic"
	"plait/internal/latency"
	"plait/workflows"
)

// startPages is how many pages start before a chapter has measured its model: contexts that are kept for five minutes last for four
// translations of more than a minute each. Hosts that know their models to be slower admit fewer.
const startPages = 4

// detectsPerPage is how many detects the model may have to wait for, each as long as a detect hardly ever takes: the detect of the next
// page, and the one that occupies the device when it is requested. With only one, a device that is no faster than the model would be idle
// from the end of a detect to the end of the translation that admits the next page.
const detectsPerPage = 2

// prefetchUpTo is the longest translation for which the next one is requested before its turn. Requesting takes about fifty milliseconds,
// which is negligible for longer translations; and after a longer wait a prefetched request would have to be repeated.
const prefetchUpTo = 10 * time.Second

// Latencies are the measured durations of a chapter's steps: of a detect, the time on the host; of a translation, the time from the
// request to the answer, including its waits behind pages of other chapters.
type Latencies struct {
	Detect    latency.Estimate `json:"detect"`
	Translate latency.Estimate `json:"translate"`
	// TTL is how long hosts keep a lease; 0 until one has reported it.
	TTL time.Duration `json:"ttl,omitempty"`
}

// prefetch decides how many pages are detected before their translations are due.
type prefetch struct {
	Latencies
	// turned is when a page last got the turn to be translated.
	turned time.Time
}

// pages is how many pages may be between the start of their detect and the end of their translation: enough that the model does not wait
// for a detect, and no more than are translated one after the other before the lease of the last one expires. Detecting earlier would only
// take room from other chapters.
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

// wait returns when one more page may start, or with the cancellation of ctx.
func (p *prefetch) wait(ctx workflow.Context, order *workflows.Ordering) error {
	return workflow.Await(ctx, func() bool { return order.Open() < p.pages() })
}

// detected adds the duration of a detect, without its wait for room on a host: when all chapters wait for leases, a chapter that requested
// more of them because of the wait would only wait longer.
func (p *prefetch) detected(took time.Duration, found comic.DetectOutput) {
	if found.StepMS > 0 {
		took = time.Duration(found.StepMS) * time.Millisecond
	}
	p.Detect.Observe(took)
	if found.TTLSeconds > 0 {
		p.TTL = time.Duration(found.TTLSeconds) * time.Second
	}
}

// prefetchesTranslation reports whether it is worthwhile to request a translation before those of the previous pages have ended.
func (p *prefetch) prefetchesTranslation() bool {
	return p.Translate.Known() && p.Translate.Upper() <= prefetchUpTo
}

// translated adds the duration of a successful translation that was requested at the time asked; a failed one says nothing about the
// duration of the next. The wait for its turn does not count.
func (p *prefetch) translated(asked, now time.Time) {
	if p.turned.After(asked) {
		asked = p.turned
	}
	p.Translate.Observe(now.Sub(asked))
}

// turn records that the turn passes to the next page now.
func (p *prefetch) turn(now time.Time) { p.turned = now }
