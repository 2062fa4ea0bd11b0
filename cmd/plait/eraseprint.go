package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/core"
)

// eraseRecord is a page as `plait erase --json` prints it: a page as `plait read --json` does, and what became of it.
type eraseRecord struct {
	Page     string `json:"page"`
	File     string `json:"file"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	FromLang string `json:"from_lang"`
	// Elapsed are the parts of reading, then erase and encode, and the total of all.
	Elapsed core.ElapsedMS `json:"elapsed_ms"`
	// ChangedPixels is how many pixels of the page differ.
	ChangedPixels int            `json:"changed_pixels"`
	Regions       []comic.Region `json:"regions"`
}

// erasePrinter prints what became of pages.
type erasePrinter struct{ pagePrinter }

func newErasePrinter(c *cobra.Command, asJSON bool) *erasePrinter {
	return &erasePrinter{newPagePrinter(c, asJSON)}
}

// print prints one page: its failure, or what was erased.
func (p *erasePrinter) print(done erasedPage) error {
	switch {
	case done.err != nil:
		return p.fail(done.page, done.err)
	case p.asJSON:
		record := eraseRecord{
			Page: done.page, File: done.file, Width: done.found.Width, Height: done.found.Height, FromLang: done.found.FromLang,
			Elapsed: done.elapsed, ChangedPixels: done.changed, Regions: done.found.Regions,
		}
		if record.Regions == nil {
			record.Regions = []comic.Region{}
		}
		return p.encode(record)
	default:
		_, err := fmt.Fprintf(p.out, "%s: %s erased → %s\n", done.page, count(len(done.found.Regions), "region"), done.file)
		return err
	}
}
