// Package batch reads, erases and letters pages with the engine of this host, without a server, a database or a task.
package batch

import (
	"cmp"
	"context"
	"sync"

	"golang.org/x/sync/semaphore"

	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/picture"
)

// pixelsAtOnce bounds the pixels of the pages in work at once: two pages of 2,500 x 4,000, or a strip and a usual page. A larger page is
// worked on alone.
const pixelsAtOnce = 24_000_000

// aheadPages is [Options.Ahead] unless it is given.
const aheadPages = 8

// Options apply to all pages.
type Options struct {
	// From is the language of the pages as a BCP 47 tag, or "auto".
	From string
	// Jobs is the number of pages worked on at once; 0 means the setting worker.device_slots.
	Jobs int
	// Ahead is how many finished pages, for each page that is worked on at once, may wait for the page that is shown next; 0 means 8.
	Ahead int
}

// Engine works on pages with the engine of this host, one page in each slot at a time. Close it after use.
type Engine struct {
	*engine.Engine
	limits picture.Limits
	slots  int
	ahead  int
	pixels *semaphore.Weighted
}

// Open loads the engine for the given number of pages. It fails as [engine.Open] and [engine.CheckSource] do.
func Open(ctx context.Context, settings *config.Config, o Options, pages int) (*Engine, error) {
	own := *settings
	if o.Jobs > 0 {
		own.Worker.DeviceSlots = o.Jobs
	}
	// Unused slots would take threads from the others.
	own.Worker.DeviceSlots = max(min(own.DeviceSlots(), pages), 1)
	c, err := engine.Configured(&own)
	if err != nil {
		return nil, err
	}
	if err := engine.CheckSource(c.Models, o.From); err != nil {
		return nil, err
	}
	e, err := engine.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &Engine{Engine: e, limits: c.Limits, slots: own.Worker.DeviceSlots, ahead: cmp.Or(o.Ahead, aheadPages), pixels: semaphore.NewWeighted(pixelsAtOnce)}, nil
}

// Work processes page i, the encoded image page, and fills in its result. It runs for several pages at once.
type Work[T any] func(ctx context.Context, e *Engine, i int, page []byte, result *T) error

// Run works on pages and passes the result or the failure of each to show, in the order of pages, as soon as those before it are shown. It
// fails with the error of show, or with the cause of a canceled context.
func Run[T any](ctx context.Context, e *Engine, pages []files.Page, work Work[T], show func(page files.Page, result T, err error) error) error {
	type done struct {
		page   files.Page
		result T
		err    error
	}
	return each(ctx, pages, e.slots, e.ahead, func(ctx context.Context, i int) done {
		d := done{page: pages[i]}
		d.err = e.withPage(ctx, pages[i], func(b []byte) error { return work(ctx, e, i, b, &d.result) })
		return d
	}, func(d done) error { return show(d.page, d.result, d.err) })
}

// withPage reads a page, and calls work with its bytes once there is room for its pixels.
func (e *Engine) withPage(ctx context.Context, page files.Page, work func([]byte) error) error {
	b, err := page.Bytes(e.limits.MaxBytes)
	if err != nil {
		return err
	}
	info, err := picture.Probe(b, e.limits)
	if err != nil {
		return err
	}
	share := min(int64(info.Width)*int64(info.Height), pixelsAtOnce)
	if err := e.pixels.Acquire(ctx, share); err != nil {
		return err
	}
	defer e.pixels.Release(share)
	return work(b)
}

// each calls work for as many pages at once as there are slots, and passes the results to show in the order of pages, as soon as those
// before are shown; ahead results for each slot may wait for their turn. It fails with the error of show, or with the cause of a canceled context.
func each[T any](ctx context.Context, pages []files.Page, slots, ahead int, work func(ctx context.Context, i int) T, show func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	results := make(chan chan T, ahead*slots)
	workers.Go(func() {
		defer close(results)
		free := make(chan struct{}, slots)
		for i := range pages {
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			result := make(chan T, 1)
			workers.Go(func() {
				defer func() { <-free }()
				result <- work(ctx, i)
			})
			select {
			case results <- result:
			case <-ctx.Done():
				return
			}
		}
	})
	for result := range results {
		done := <-result
		if ctx.Err() != nil {
			break
		}
		if err := show(done); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}
