package workers

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"plait/activities"
	"plait/internal/records"
)

// lastReport bounds the report of a process that has stopped.
const lastReport = 5 * time.Second

// Presence tells the records of this process, and this process of a drain that an operator asked for.
type Presence struct {
	store *records.Store
	self  *activities.Host
	every time.Duration
	log   *slog.Logger

	mu   sync.Mutex
	host records.Host
	// drain is closed when an operator asks for it; changed holds a token when the state is news.
	drain   chan struct{}
	changed chan struct{}
}

// NewPresence makes one of a process that is about to be ready. Host holds what never changes. Zero
// is records.HostSeenEvery.
func NewPresence(store *records.Store, host records.Host, self *activities.Host, every time.Duration, log *slog.Logger) *Presence {
	host.State = records.HostReady
	if every <= 0 {
		every = records.HostSeenEvery
	}
	if leases := self.Leases; leases != nil {
		host.ContextCapacity = leases.Capacity()
	}
	return &Presence{
		store: store, self: self, every: every, log: log, host: host,
		drain: make(chan struct{}), changed: make(chan struct{}, 1),
	}
}

// Drain is closed when an operator has asked the process to drain: see Config.
func (p *Presence) Drain() <-chan struct{} { return p.drain }

// Drained notes the end of a drain.
func (p *Presence) Drained() {
	p.become(records.HostDrained)
	p.log.Info("the process has drained: it has nothing left, and takes nothing")
}

// Run reports until ctx ends, and then that the process has stopped. A database that does not answer is no reason to stop
// working: the next report comes soon.
func (p *Presence) Run(ctx context.Context) error {
	if err := p.store.ForgetHosts(ctx); err != nil && ctx.Err() == nil {
		p.log.Warn("the records of hosts that are gone cannot be deleted", "error", err)
	}
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for ctx.Err() == nil {
		p.report(ctx)
		select {
		case <-ctx.Done():
		case <-p.changed:
		case <-ticker.C:
		}
	}
	p.become(records.HostStopped)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastReport)
	defer cancel()
	p.report(last)
	return nil
}

func (p *Presence) report(ctx context.Context) {
	drain, err := p.store.SaveHost(ctx, p.present())
	switch {
	case err != nil && ctx.Err() == nil:
		p.log.Warn("this process could not be reported", "error", err)
	case drain && p.begin():
		p.log.Info("the process drains: an operator asked for it")
		close(p.drain)
	}
}

// present is the report of now.
func (p *Presence) present() records.Host {
	p.mu.Lock()
	defer p.mu.Unlock()
	if leases := p.self.Leases; leases != nil {
		stats := leases.Stats()
		p.host.Contexts, p.host.ContextBytes = stats.Leases, stats.Bytes
	}
	p.host.Waiting = p.self.Devices.Waiting()
	return p.host
}

// begin is true for the first time that a drain is asked for.
func (p *Presence) begin() bool {
	p.mu.Lock()
	first := p.host.State == records.HostReady
	p.mu.Unlock()
	if first {
		p.become(records.HostDraining)
	}
	return first
}

func (p *Presence) become(s records.HostState) {
	p.mu.Lock()
	p.host.State = s
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}
