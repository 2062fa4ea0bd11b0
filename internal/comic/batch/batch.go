// Package batch reads, erases and letters pages with the engine of this host, without a server, a database or a task.
package batch

import (
	"cmp"
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
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
		result T
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	var started sync.WaitGroup
	var working errgroup.Group
	working.SetLimit(e.slots)
	defer func() {
		cancel()
		started.Wait()
		_ = working.Wait() // the errors are those of the pages
	}()
	results := make(chan chan done, e.ahead*e.slots)
	started.Go(func() {
		defer close(results)
		for i, page := range pages {
			result := make(chan done, 1)
			working.Go(func() error {
				var d done
				d.err = e.withPage(ctx, page, func(b []byte) error { return work(ctx, e, i, b, &d.result) })
				result <- d
				return nil
			})
			select {
			case results <- result:
			case <-ctx.Done():
				return
			}
		}
	})
	for _, page := range pages {
		result, more := <-results
		if !more {
			break
		}
		d := <-result
		if ctx.Err() != nil {
			break
		}
		if err := show(page, d.result, d.err); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
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
