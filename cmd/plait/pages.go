package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/semaphore"

	"plait/internal/comic/engine"
	"plait/internal/config"
	"plait/internal/languages"
	"plait/internal/picture"
)

// pageFlags are the choices of the commands that work on pages with the engine of this host alone.
type pageFlags struct {
	from string
	jobs int
	// fast looks for text on reduced pages; not every command offers it.
	fast bool
}

func (f *pageFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.from, "from", languages.Auto, "language of the pages, or auto")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "pages at once (default: worker.device_slots)")
}

// check makes f.from a tag, or fails with what is wrong with the command line.
func (f *pageFlags) check(c *cobra.Command) (err error) {
	if f.from, err = languages.ParseSource(f.from); err != nil {
		return usageError(c, err)
	}
	if f.jobs < 0 || f.jobs > 64 {
		return usageError(c, fmt.Errorf("--jobs %d is not between 1 and 64", f.jobs))
	}
	return nil
}

// somePages demands that pages are named, to do what verb says.
func somePages(verb string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError(c, fmt.Errorf("name images, folders or CBZ files to %s", verb))
		}
		return nil
	}
}

// pixelsAtOnce bounds the pages in memory: two of 2,500 x 4,000, or a strip beside a usual page. A larger page is alone.
const pixelsAtOnce = 24_000_000

// windowPages is how many finished pages a slot may be ahead of the page that is shown next.
const windowPages = 8

// pageEngine works on pages with the engine of this host, so many at once as there are slots.
type pageEngine struct {
	*engine.Engine
	limits picture.Limits
	slots  int
	pixels *semaphore.Weighted
}

// openPageEngine loads the engine for so many pages.
func openPageEngine(ctx context.Context, l *config.Loaded, f pageFlags, pages int) (*pageEngine, error) {
	if f.jobs > 0 {
		l.Worker.DeviceSlots = f.jobs
	}
	// Slots that no page would use would keep threads from those that do.
	l.Worker.DeviceSlots = min(deviceSlots(l), pages)
	c, err := engineConfig(l)
	if err != nil {
		return nil, err
	}
	if err := engine.CheckSource(c.Models, f.from); err != nil {
		return nil, err
	}
	c.Fast = f.fast
	engine, err := engine.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	return &pageEngine{
		Engine: engine, limits: pictureLimits(l), slots: l.Worker.DeviceSlots, pixels: semaphore.NewWeighted(pixelsAtOnce),
	}, nil
}

// withPage reads a page, and calls work with its bytes once there is room for its pixels.
func (e *pageEngine) withPage(ctx context.Context, page inputPage, work func([]byte) error) error {
	b, err := page.bytes(e.limits.MaxBytes)
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

// eachPage works on so many pages at once and shows what became of each, in the order of pages, as soon as those before
// it are shown. It ends with the error of show, or with the cause of a canceled context; the failure of a page is
// something to show.
func eachPage[T any](ctx context.Context, pages []inputPage, slots int, work func(ctx context.Context, i int) T, show func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	results := make(chan chan T, windowPages*slots)
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

// failures names the pages that failed, and counts them.
type failures struct {
	errs   io.Writer
	failed int
}

// add names a page that failed. It returns what ends the command instead: that it was interrupted.
func (f *failures) add(page string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f.failed++
	fmt.Fprintf(f.errs, "plait: %s: %s\n", page, explain(err))
	return nil
}

// status is how a command ends that was to do with so many pages what done says.
func (f *failures) status(pages int, done string) error {
	switch f.failed {
	case 0:
		return nil
	case pages:
		return &exitError{status: exitFailed}
	default:
		return &exitError{status: exitPartial, err: fmt.Errorf("%d of %s could not be %s", f.failed, count(pages, "page"), done)}
	}
}
