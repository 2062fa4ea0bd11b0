package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/languages"
)

// readFlags are the choices of `plait read`.
type readFlags struct {
	pageFlags
	overlay string
	order   string
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
	c.Flags().BoolVar(&f.Fast, "fast", false, "look for text on reduced pages")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON line a page")
	c.Flags().StringVar(&f.order, "order", languages.Auto, "reading order: auto (that of the language), ltr or rtl")
	c.Flags().StringVar(&f.overlay, "overlay", "", "write each page with its regions marked into this folder")
	return c
}

func (f *readFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	if err := f.check(c); err != nil {
		return err
	}
	order, err := comic.ParseReadingOrder(f.order)
	if err != nil {
		return usageError(c, err)
	}
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	r := &batch.Reader{Options: comic.Options{From: f.From, Order: order}}
	if f.overlay != "" {
		if r.Overlays, err = files.NamesFor(in.List).In("--overlay", f.overlay, files.Ending(".png")); err != nil {
			return err
		}
		if r.Fonts, err = overlayFonts(l); err != nil {
			return err
		}
	}
	return runPages(c, l, f.pageFlags, in.List, "read", r.Read, describePage,
		func(page string, found comic.DetectOutput) any { return recordOf(page, found) })
}

// describePage is a page as a person reads it.
func describePage(page string, found comic.DetectOutput) string {
	var b strings.Builder
	facts := []string{fmt.Sprintf("%d × %d", found.Width, found.Height)}
	if len(found.Regions) > 0 {
		facts = append(facts, found.FromLang, progress.Count(len(found.Regions), "region"))
	} else {
		facts = append(facts, "no text")
	}
	facts = append(facts, fmt.Sprintf("%.1f s", float64(found.Elapsed["total"])/1000))
	fmt.Fprintf(&b, "%s: %s\n", page, strings.Join(facts, ", "))
	for _, region := range found.Regions {
		text := region.Text
		if strings.TrimSpace(text) == "" {
			text = "(not read)"
		}
		fmt.Fprintf(&b, "%4d  %-9s %s  %s\n", region.Index, region.Kind, region.Direction, text)
	}
	return b.String()
}
