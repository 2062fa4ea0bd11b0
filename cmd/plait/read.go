package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/semaphore"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/comic/overlay"
	"plait/internal/config"
	"plait/internal/picture"
	"plait/internal/pipeline"
)

// readFlags are the choices of `plait read`.
type readFlags struct {
	from, overlay string
	asJSON        bool
	jobs          int
}

func newRead(a *app) *cobra.Command {
	f := &readFlags{}
	c := &cobra.Command{
		Use:   "read PAGE...",
		Short: "Read the text of pages: images, folders, CBZ or ZIP files",
		Long: `Read the text of pages and print it in reading order: of each page its size and language, of each region its number,
kind, direction (h horizontal, v vertical) and text. Needs no server and no database.

With --json each page is one line: {"page", "width", "height", "from_lang", "elapsed_ms", "regions"}, where a region
counts from 0 and carries outlines, texts, angle, font size, colors and confidence; a page that cannot be read is
{"page", "error": {"code", "message"}}.

With --overlay each page is also drawn with its regions marked, as a PNG of the same name and size in that folder.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait read page.png --from ja
  plait read book.cbz --json > book.jsonl
  plait read pages/ --overlay marked/`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(c, errors.New("name images, folders or CBZ files to read"))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			return f.run(c, l, args)
		},
	}
	c.Flags().StringVar(&f.from, "from", pipeline.LanguageAuto, "language of the pages, or auto")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line a page")
	c.Flags().StringVar(&f.overlay, "overlay", "", "write each page with its regions marked into this folder")
	c.Flags().IntVar(&f.jobs, "jobs", 0, "pages at once (default: worker.device_slots)")
	return c
}

func (f *readFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	from, err := pipeline.ParseSource(f.from)
	if err != nil {
		return usageError(c, err)
	}
	if f.jobs < 0 || f.jobs > 64 {
		return usageError(c, fmt.Errorf("--jobs %d is not between 1 and 64", f.jobs))
	}
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	r := &reader{from: from, limits: pictureLimits(l), pixels: semaphore.NewWeighted(pixelsAtOnce)}
	if f.overlay != "" {
		if r.overlays, err = overlayPaths(f.overlay, inputs.pages); err != nil {
			return err
		}
	}
	if f.jobs > 0 {
		l.Worker.DeviceSlots = f.jobs
	}
	// Slots that no page would use would keep threads from those that do.
	l.Worker.DeviceSlots = min(deviceSlots(l), len(inputs.pages))
	if err := r.open(c.Context(), l); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.engine.Close()) }()
	out := newReadPrinter(c, f.asJSON)
	if err := r.readAll(c.Context(), inputs.pages, l.Worker.DeviceSlots, out.print); err != nil {
		return err
	}
	return out.status(len(inputs.pages))
}

// pixelsAtOnce bounds the pages in memory: two of 2,500 x 4,000, or a strip beside a usual page. A larger page is read
// alone.
const pixelsAtOnce = 24_000_000

// windowPages is how many finished pages a slot may be ahead of the page that is printed next.
const windowPages = 8

// reader reads pages on the engine of this host.
type reader struct {
	engine *comic.Engine
	fonts  *overlay.Fonts
	from   string
	limits picture.Limits
	pixels *semaphore.Weighted
	// overlays are the files to draw, one a page; nil for none.
	overlays []string
}

func (r *reader) open(ctx context.Context, l *config.Loaded) (err error) {
	if r.overlays != nil {
		set, err := assets.Open(l.AssetsDir)
		if err != nil {
			return err
		}
		if r.fonts, err = overlay.LoadFonts(filepath.Join(set.Dir(), "fonts")); err != nil {
			return err
		}
	}
	r.engine, err = openEngine(ctx, l)
	return err
}

// pageReading is what became of one page.
type pageReading struct {
	page  string
	found pipeline.DetectOutput
	err   error
}

// readAll reads so many pages at once and shows each, in the order of pages, as soon as those before it are shown. It
// ends with the error of show, or with the cause of a canceled context; the failure of a page is a result.
func (r *reader) readAll(ctx context.Context, pages []inputPage, slots int, show func(pageReading) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer cancel()
	results := make(chan chan pageReading, windowPages*slots)
	readers.Go(func() {
		defer close(results)
		free := make(chan struct{}, slots)
		for i, page := range pages {
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
			result := make(chan pageReading, 1)
			readers.Go(func() {
				defer func() { <-free }()
				found, err := r.read(ctx, page, i)
				result <- pageReading{page: page.name, found: found, err: err}
			})
			select {
			case results <- result:
			case <-ctx.Done():
				return
			}
		}
	})
	for result := range results {
		reading := <-result
		if ctx.Err() != nil {
			break
		}
		if err := show(reading); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// read reads page i, and draws its overlay.
func (r *reader) read(ctx context.Context, page inputPage, i int) (pipeline.DetectOutput, error) {
	b, err := page.bytes(r.limits.MaxBytes)
	if err != nil {
		return pipeline.DetectOutput{}, err
	}
	info, err := picture.Probe(b, r.limits)
	if err != nil {
		return pipeline.DetectOutput{}, err
	}
	share := min(int64(info.Width)*int64(info.Height), pixelsAtOnce)
	if err := r.pixels.Acquire(ctx, share); err != nil {
		return pipeline.DetectOutput{}, err
	}
	defer r.pixels.Release(share)
	_, found, err := r.engine.Detect(ctx, b, pipeline.Options{From: r.from})
	if err != nil || r.overlays == nil {
		return found, err
	}
	return found, r.draw(ctx, b, found.Regions, r.overlays[i])
}

func (r *reader) draw(ctx context.Context, image []byte, regions []pipeline.Region, path string) error {
	page, err := picture.Decode(ctx, image, r.limits)
	if err != nil {
		return err
	}
	marked, err := overlay.Draw(ctx, page.Image, regions, r.fonts)
	if err != nil {
		return err
	}
	if err := makeParent(path); err != nil {
		return err
	}
	return writeFile(path, func(w io.Writer) error { return overlayEncoder.Encode(w, marked) })
}
