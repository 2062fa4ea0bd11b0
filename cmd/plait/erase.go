package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
)

// The formats of the pages that `plait erase` writes.
const (
	formatSame = "same"
	formatPNG  = "png"
)

// eraseFlags are the choices of `plait erase`.
type eraseFlags struct {
	pageFlags
	out, masks, format string
}

func newErase(a *app) *cobra.Command {
	f := &eraseFlags{format: formatSame}
	c := &cobra.Command{
		Use:   "erase PAGE... -o DIR",
		Short: "Remove the text of pages: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages, remove it, and write the pages into a folder under their own names. The command needs no server and no
database.

With --format same, a page keeps its format, and the file of a page without text is copied unchanged.

With --masks, the removed pixels of each page are also written, white on black, as a gray PNG of the same name and size.

With --json the output is one object a page: {"page", "file", "width", "height", "from_lang", "elapsed_ms", "changed_pixels",
"regions"}, with the erased regions as in "plait read --json". A page that fails is {"page", "error": {"code", "message"}}.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait erase page.png -o clean/
  plait erase book.cbz --from ja -o clean/ --format png --masks masks/`,
		Args: somePages("erase"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder for the pages without text (required)")
	c.Flags().StringVar(&f.masks, "masks", "", "folder for the masks of removed pixels")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a page")
	c.Flags().Var(choice(&f.format, formatSame, formatPNG), "format", "format of the written pages: same or png")
	return c
}

func (f *eraseFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	r := &batch.Eraser{From: f.From, PNG: f.format == formatPNG}
	end := files.OwnEnding
	if r.PNG {
		end = files.Ending(".png")
	}
	names := files.NamesFor(in.List)
	if r.Files, err = names.In("-o", f.out, end); err != nil {
		return err
	}
	if f.masks != "" {
		if r.Masks, err = names.In("--masks", f.masks, files.Ending(".png")); err != nil {
			return err
		}
	}
	return runPages(c, l, f.pageFlags, in.List, "erased", r.Erase, func(page string, done batch.ErasedPage) string {
		return fmt.Sprintf("%s: %s erased → %s\n", page, progress.Count(len(done.Regions), "region"), done.File)
	}, batch.RecordErased)
}

func (f *eraseFlags) check(c *cobra.Command) error {
	if err := demand(c, "out"); err != nil {
		return err
	}
	if f.masks != "" && files.Absolute(f.masks) == files.Absolute(f.out) {
		return usageError(c, errors.New("-o and --masks are one folder, where pages and masks would have the same names"))
	}
	return nil
}
