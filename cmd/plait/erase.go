package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plait/internal/config"
	"plait/internal/picture"
	"plait/internal/pipeline"
)

// eraseFlags are the choices of `plait erase`.
type eraseFlags struct {
	pageFlags
	out, masks, format string
}

func newErase(a *app) *cobra.Command {
	f := &eraseFlags{}
	c := &cobra.Command{
		Use:   "erase PAGE... -o DIR",
		Short: "Remove the text of pages: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages, remove it, and write each page under its name into a folder. Needs no server and no database.

With --format same a page keeps its format, and one without text is the file that it was, byte for byte.

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
	c.Flags().StringVar(&f.format, "format", "same", "format of the pages: png, or same as they came")
	return c
}

func (f *eraseFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
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
	var err error
	outputs := inputs.outputs()
	if e.files, err = outputs.files("-o", f.out, end); err != nil {
		return err
	}
	if f.masks != "" {
		if e.masks, err = outputs.files("--masks", f.masks, ending(".png")); err != nil {
			return err
		}
	}
	return makeFiles(c, l, f.pageFlags, inputs.pages, e.files, "erased", e.erase)
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

// eraser removes the text of pages.
type eraser struct {
	from string
	// png writes every page as PNG.
	png bool
	// files are the files of the pages, and masks those of what was removed, or nil.
	files, masks []string
}

// erase removes the text of page i.
func (r *eraser) erase(ctx context.Context, e *pageEngine, i int, page []byte) (int, error) {
	c, found, err := e.Detect(ctx, page, pipeline.Options{From: r.from})
	if err != nil {
		return 0, err
	}
	erased, err := e.Erase(ctx, c, found.Regions)
	if err != nil {
		return 0, err
	}
	if r.masks != nil {
		if err := writePNG(r.masks[i], erased.Mask()); err != nil {
			return 0, err
		}
	}
	format := c.Format()
	if r.png {
		format = picture.PNG
	}
	if len(found.Regions) > 0 || format != c.Format() {
		if page, err = c.Encode(ctx, erased.Image, format); err != nil {
			return 0, err
		}
	}
	return len(found.Regions), writeResult(r.files[i], page)
}
