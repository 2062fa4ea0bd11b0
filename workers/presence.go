package workers

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"plait/activities"
	"plait/internal/records"
)

// lastReport is the time limit of the last report of a process.
const lastReport = 5 * time.Second

// Presence reports this process to the records, and learns from them that an operator asked the process to drain.
type Presence struct {
	store *records.Store
	self  *activities.Host
	every time.Duration
	log   *slog.Logger

	mu   sync.Mutex
	host records.Host
	// drain is closed when an operator asks for a drain; changed has a token when the state has changed.
	drain   chan struct{}
	changed chan struct{}
}

// NewPresence returns the presence of a process that will be ready. Host has the fields that never change. An interval of 0 is
// records.HostSeenEvery.
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

// Drain returns a channel that is closed when an operator has asked the process to drain: see Config.
func (p *Presence) Drain() <-chan struct{} { return p.drain }

// Drained sets the state of the process to drained.
func (p *Presence) Drained() {
	p.become(records.HostDrained)
	p.log.Info("the process has drained: it has no work left and takes none")
}

// Run reports the process until ctx ends, and finally that it has stopped. It goes on when the database does not answer, because the
// next report comes soon.
func (p *Presence) Run(ctx context.Context) error {
	if err := p.store.ForgetHosts(ctx); err != nil && ctx.Err() == nil {
		p.log.Warn("cannot delete the records of hosts that are gone", "error", err)
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
		p.log.Warn("cannot report this process", "error", err)
	case drain && p.begin():
		p.log.Info("the process drains: an operator asked for it")
		close(p.drain)
	}
}

// present is the current report.
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

// begin sets the state to draining and returns true when a drain is asked for the first time.
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
