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

// The defaults of Config.
const (
	// DefaultStopTimeout is enough for the step on the device to end: a page takes seconds.
	DefaultStopTimeout = 30 * time.Second
	// DefaultStickyCache is the number of workflows that stay in memory between their tasks, at some hundred kilobytes each.
	DefaultStickyCache = 256
)

// Config configures a worker process.
type Config struct {
	Client client.Client
	Roles  []Role
	// Host is what the steps of this process share; Instance is unique among the processes of the machine.
	Host     *activities.Host
	Instance string
	// Kinds are the kinds of work that this process serves.
	Kinds []Kind
	// StickyCache is the number of workflows kept in memory, for the whole process. 0 is DefaultStickyCache. With a negative number
	// none is kept, and every workflow task replays its history.
	StickyCache int
	// StopTimeout is how long a stop waits for running steps; 0 is DefaultStopTimeout. A process with the role gpu alone first waits
	// equally long for its leases to be used.
	StopTimeout time.Duration
	// Closing Drain ends the polling of every queue but the host queue, whose steps only this process can run.
	Drain <-chan struct{}
	// OnReady is called once every queue is polled, and OnDrained once all work taken before Drain has ended. Both may be nil.
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

// Run polls the queues of the roles of the process until ctx ends, and returns nil after its running steps have ended or StopTimeout
// is over. It fails with CodeUnavailable when Temporal does not answer at the start, and with the error of a worker that died.
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

// serve returns when ctx ends, with or without a drain before.
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

// diedError is the cause of a context that ended because a worker died.
type diedError struct{ err error }

func (e *diedError) Error() string { return e.err.Error() }

// deathOf returns the error of the worker that died, or nil.
func deathOf(ctx context.Context) error {
	if dead, ok := context.Cause(ctx).(*diedError); ok { //nolint:errorlint // a cause is what was given, never wrapped
		return dead.err
	}
	return nil
}

// stop stops all workers at the same time, so that their time-outs do not add up.
func stop(workers []worker.Worker) {
	var all sync.WaitGroup
	for _, w := range workers {
		all.Go(w.Stop)
	}
	all.Wait()
}

// sweepUntil removes expired leases until ctx ends: on an idle host no other call would remove them.
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
