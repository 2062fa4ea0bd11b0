package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/picture"
)

// eraseFlags are the choices of `plait erase`.
type eraseFlags struct {
	pageFlags
	out, masks, format string
	asJSON             bool
}

func newErase(a *app) *cobra.Command {
	f := &eraseFlags{}
	c := &cobra.Command{
		Use:   "erase PAGE... -o DIR",
		Short: "Remove the text of pages: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages, remove it, and write each page under its name into a folder. Needs no server and no database.

With --format same a page keeps its format, and one without text is the file that it was, byte for byte.

With --json each page is one line: {"page", "file", "width", "height", "from_lang", "elapsed_ms", "changed_pixels", "regions"},
where the regions are those of "plait read --json", all of them erased; a page that cannot be erased is {"page", "error":
{"code", "message"}}.

With --masks what was removed of each page is also drawn, white on black, as a gray PNG of the same name and size.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait erase page.png -o clean/
  plait erase book.cbz --from ja -o clean/ --format png --masks masks/`,
		Args: somePages("erase"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder of the pages without text")
	c.Flags().StringVar(&f.masks, "masks", "", "write what was removed of each page into this folder")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line a page")
	c.Flags().StringVar(&f.format, "format", "same", "format of the pages: png, or same as they came")
	return c
}

func (f *eraseFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	e := &eraser{from: f.from, png: f.format == "png"}
	end := ownEnding
	if e.png {
		end = ending(".png")
	}
	outputs := inputs.outputs()
	if e.files, err = outputs.files("-o", f.out, end); err != nil {
		return err
	}
	if f.masks != "" {
		if e.masks, err = outputs.files("--masks", f.masks, ending(".png")); err != nil {
			return err
		}
	}
	if e.pageEngine, err = openPageEngine(c.Context(), l, f.pageFlags, len(inputs.pages)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	out := newErasePrinter(c, f.asJSON)
	if err := e.eraseAll(c.Context(), inputs.pages, out.print); err != nil {
		return err
	}
	return out.status(len(inputs.pages), "erased")
}

func (f *eraseFlags) check(c *cobra.Command) error {
	switch {
	case f.out == "":
		return usageError(c, errors.New("-o is missing: the folder of the pages without text"))
	case f.format != "same" && f.format != "png":
		return usageError(c, fmt.Errorf("--format %q is not png or same", f.format))
	case f.masks != "" && absolute(f.masks) == absolute(f.out):
		return usageError(c, errors.New("-o and --masks are one folder, where pages and masks would have the same names"))
	}
	return f.pageFlags.check(c)
}

// eraser removes the text of pages on the engine of this host.
type eraser struct {
	*pageEngine
	from string
	// png writes every page as PNG.
	png bool
	// files are the files of the pages, and masks those of what was removed, or nil.
	files, masks []string
}

// erasedPage is what became of one page.
type erasedPage struct {
	page, file string
	found      comic.DetectOutput
	elapsed    core.ElapsedMS
	changed    int
	err        error
}

// eraseAll removes the text of the pages and shows each, in their order.
func (r *eraser) eraseAll(ctx context.Context, pages []inputPage, show func(erasedPage) error) error {
	return eachPage(ctx, pages, r.slots, func(ctx context.Context, i int) erasedPage {
		done := erasedPage{page: pages[i].name, file: r.files[i]}
		done.err = r.withPage(ctx, pages[i], func(b []byte) error { return r.erase(ctx, i, b, &done) })
		return done
	}, show)
}

// erase removes the text of page i.
func (r *eraser) erase(ctx context.Context, i int, page []byte, done *erasedPage) error {
	start := time.Now()
	c, found, err := r.Detect(ctx, page, comic.Options{From: r.from})
	if err != nil {
		return err
	}
	done.found, done.elapsed = found, maps.Clone(found.Elapsed)
	last := time.Now()
	lap := func(part string) {
		done.elapsed[part] = time.Since(last).Milliseconds()
		last = time.Now()
	}
	erased, err := r.Erase(ctx, c, found.Regions)
	if err != nil {
		return err
	}
	lap("erase")
	done.changed = changedPixels(c.Page(), erased.Image)
	if r.masks != nil {
		if err := writePNG(r.masks[i], erased.Mask()); err != nil {
			return err
		}
	}
	last = time.Now()
	format := c.Format()
	if r.png {
		format = picture.PNG
	}
	if len(found.Regions) > 0 || format != c.Format() {
		if page, err = c.Encode(ctx, erased.Image, format); err != nil {
			return err
		}
	}
	lap("encode")
	done.elapsed["total"] = time.Since(start).Milliseconds()
	return writeResult(r.files[i], page)
}

// changedPixels is how many pixels of two pictures of one size differ.
func changedPixels(a, b *image.NRGBA) int {
	n := 0
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		for x := a.Rect.Min.X; x < a.Rect.Max.X; x++ {
			if a.NRGBAAt(x, y) != b.NRGBAAt(x, y) {
				n++
			}
		}
	}
	return n
}
