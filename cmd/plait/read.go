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
)

// readFlags are the choices of `plait read`.
type readFlags struct {
	pageFlags
	overlay string
	order   comic.ReadingOrder
	fast    bool
}

func newRead(a *app) *cobra.Command {
	f := &readFlags{}
	c := &cobra.Command{
		Use:   "read PAGE...",
		Short: "Read the text of pages: images, folders, CBZ or ZIP files",
		Long: `Find the text of pages and print it in reading order: for each page its size and language, and for each region its number, kind,
direction (h horizontal, v vertical) and text. The command needs no server and no database.

With --json the output is one object a page: {"page", "width", "height", "from_lang", "elapsed_ms", "regions"}. Regions are numbered
from 0 and contain outlines, texts, angle, font size, colors and confidence. A page that fails is {"page", "error": {"code",
"message"}}.

With --fast, smaller models find the text, and read the lines that they are sure of. That takes a third of the time, and more text is
missed and misread.

With --overlay, each page is also written with its regions marked by their numbers, as a PNG of the same name and size.

With --order auto, pages in Japanese and traditional Chinese are read from right to left, and others from left to right. Text in a
script that no model reads has the language und and is left empty.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 130 interrupted.`,
		Example: `  plait read page.png --from ja
  plait read book.cbz --json > book.jsonl
  plait read pages/ --overlay marked/`,
		Args: somePages("read"),
		RunE: a.configured(f.run),
	}
	f.add(c)
	c.Flags().BoolVar(&f.fast, "fast", false, fastHelp)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object a page")
	c.Flags().Var(readingOrder(&f.order), "order", "reading order: auto, ltr or rtl")
	c.Flags().StringVar(&f.overlay, "overlay", "", "folder for the pages with their regions marked")
	return c
}

func (f *readFlags) run(c *cobra.Command, l *config.Loaded, args []string) error {
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	r := &batch.Reader{Options: comic.Options{From: f.From, Order: f.order, Fast: f.fast}}
	if f.overlay != "" {
		var err error
		if r.Overlays, err = files.NamesFor(in.List).In("--overlay", f.overlay, files.Ending(".png")); err != nil {
			return err
		}
	}
	return runPages(c, l, f.pageFlags, in.List, "read", r.Read, describePage, batch.RecordRead)
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
