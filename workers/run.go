package workers

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/lease"
)

// The settings of a Config that names none.
const (
	// DefaultStopTimeout lets the step on the device end; a page takes seconds.
	DefaultStopTimeout = 30 * time.Second
	// DefaultStickyCache workflows stay in memory between their tasks, some hundred kilobytes each.
	DefaultStickyCache = 256
)

// Config is what a worker process is.
type Config struct {
	Client client.Client
	Roles  []Role
	// Host is what the steps of this process share; Instance tells it from other processes of the same machine.
	Host     *activities.Host
	Instance string
	// Kinds are the kinds of work that this process takes part in.
	Kinds []Kind
	// StickyCache is the number of workflows kept in memory; 0 is DefaultStickyCache, and a negative number keeps
	// none, so that every workflow task replays its history. It holds for the whole process.
	StickyCache int
	// StopTimeout is how long a stop waits for running steps; 0 is DefaultStopTimeout. A process of role gpu alone waits as
	// long before that for its leases to be used.
	StopTimeout time.Duration
	// Drain, when it is closed, ends the polling of every queue but the host queue, whose steps nobody else can do.
	Drain <-chan struct{}
	// OnReady, when not nil, is called once every queue is polled; OnDrained once nothing is left of what was taken before
	// Drain.
	OnReady, OnDrained func()
}

func (c Config) withDefaults() Config {
	if c.StopTimeout <= 0 {
		c.StopTimeout = DefaultStopTimeout
	}
	switch {
	case c.StickyCache == 0:
		c.StickyCache = DefaultStickyCache
	case c.StickyCache < 0:
		c.StickyCache = 0
	}
	return c
}

// Run polls the queues of the process's roles until ctx ends, and returns nil after its running steps have ended or
// their time is up. It fails with CodeUnavailable when Temporal does not answer at the start, and with the error of a
// worker that died.
func Run(ctx context.Context, c Config) error {
	c = c.withDefaults()
	if slices.Contains(c.Roles, RoleGPU) && c.Host.Leases == nil {
		return core.NewError(core.CodeInvalidInput, "role gpu needs a cache of leases")
	}
	worker.SetStickyWorkflowCacheSize(c.StickyCache)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	died := func(err error) { cancel(&diedError{err}) }

	started := &running{}
	defer func() { started.stop(c, deathOf(ctx) != nil) }()
	for _, q := range topology(c) {
		options, err := q.options(c, died)
		if err != nil {
			return err
		}
		w := worker.New(c.Client, q.Name, options)
		q.register(w)
		if err := w.Start(); err != nil {
			return core.Wrap(core.CodeUnavailable, err, "Temporal does not answer")
		}
		started.add(w, q)
	}
	if c.OnReady != nil {
		c.OnReady()
	}
	serve(ctx, c, started)
	if err := deathOf(ctx); err != nil {
		return fmt.Errorf("a worker ended by itself: %w", err)
	}
	return nil
}

// serve returns when ctx ends, after a drain or without.
func serve(ctx context.Context, c Config, started *running) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { sweepUntil(ctx, c.Host.Leases) })
	select {
	case <-ctx.Done():
	case <-c.Drain:
		started.drain(ctx, c.Host.Leases)
		if ctx.Err() == nil && c.OnDrained != nil {
			c.OnDrained()
		}
	}
}

// diedError tells the end of a worker from the end of its context.
type diedError struct{ err error }

func (e *diedError) Error() string { return e.err.Error() }

// deathOf is why a worker ended by itself, or nil.
func deathOf(ctx context.Context) error {
	if dead, ok := context.Cause(ctx).(*diedError); ok { //nolint:errorlint // a cause is what was given, never wrapped
		return dead.err
	}
	return nil
}

// stop drains all workers at once, so that their time-outs do not add up.
func stop(workers []worker.Worker) {
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(w.Stop)
	}
	all.Wait()
}

// sweepUntil frees expired leases until ctx ends: an idle host has no call that would do so in passing.
func sweepUntil(ctx context.Context, leases *lease.Cache) {
	if leases == nil {
		<-ctx.Done()
		return
	}
	ticker := time.NewTicker(leases.TTL() / 10)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			leases.Sweep()
		}
	}
}
