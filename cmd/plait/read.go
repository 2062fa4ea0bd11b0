package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/comic/overlay"
	"plait/internal/config"
	"plait/internal/languages"
)

// readFlags are the choices of `plait read`.
type readFlags struct {
	pageFlags
	overlay string
	order   string
	asJSON  bool
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

With --fast text is looked for on pages reduced to 1280 pixels, and read at full size: for a first look. Small marks,
such as the dots of an ellipsis, get lost more often.

Comics in Japanese and traditional Chinese are read from right to left, others from left to right; --order says
otherwise, for a translation of a comic from elsewhere. A page in a script that no model reads has the language und, and
regions without text.

With --overlay each page is also drawn with its regions marked, as a PNG of the same name and size in that folder.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait read page.png --from ja
  plait read book.cbz --json > book.jsonl
  plait read pages/ --overlay marked/`,
		Args: somePages("read"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().BoolVar(&f.fast, "fast", false, "look for text on reduced pages")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line a page")
	c.Flags().StringVar(&f.order, "order", languages.Auto, "reading order: auto (that of the language), ltr or rtl")
	c.Flags().StringVar(&f.overlay, "overlay", "", "write each page with its regions marked into this folder")
	return c
}

func (f *readFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	order, err := comic.ParseReadingOrder(f.order)
	if err != nil {
		return usageError(c, err)
	}
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	r := &reader{options: comic.Options{From: f.from, Order: order}}
	if f.overlay != "" {
		if r.overlays, err = inputs.outputs().files("--overlay", f.overlay, ending(".png")); err != nil {
			return err
		}
		if r.fonts, err = overlayFonts(l); err != nil {
			return err
		}
	}
	if r.pageEngine, err = openPageEngine(c.Context(), l, f.pageFlags, len(inputs.pages)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	out := newReadPrinter(c, f.asJSON)
	if err := r.readAll(c.Context(), inputs.pages, out.print); err != nil {
		return err
	}
	return out.status(len(inputs.pages), "read")
}

// reader reads pages on the engine of this host.
type reader struct {
	*pageEngine
	options comic.Options
	// overlays are the files to draw with fonts, one a page; nil for none.
	overlays []string
	fonts    *overlay.Fonts
}

// pageReading is what became of one page.
type pageReading struct {
	page  string
	found comic.DetectOutput
	err   error
}

// readAll reads the pages and shows each, in their order.
func (r *reader) readAll(ctx context.Context, pages []inputPage, show func(pageReading) error) error {
	return eachPage(ctx, pages, r.slots, func(ctx context.Context, i int) pageReading {
		reading := pageReading{page: pages[i].name}
		reading.err = r.withPage(ctx, pages[i], func(b []byte) (err error) {
			var page *engine.Context
			if page, reading.found, err = r.Detect(ctx, b, r.options); err != nil || r.overlays == nil {
				return err
			}
			return writeOverlay(ctx, r.overlays[i], page, r.fonts)
		})
		return reading
	}, show)
}

func overlayFonts(l *config.Loaded) (*overlay.Fonts, error) {
	set, err := assets.Open(l.AssetsDir)
	if err != nil {
		return nil, err
	}
	return overlay.LoadFonts(filepath.Join(set.Dir(), "fonts"))
}

// writeOverlay writes the page with its regions marked.
func writeOverlay(ctx context.Context, path string, page *engine.Context, fonts *overlay.Fonts) error {
	marked, err := overlay.Draw(ctx, page.Page(), page.Regions(), fonts)
	if err != nil {
		return err
	}
	return writePNG(path, marked)
}
