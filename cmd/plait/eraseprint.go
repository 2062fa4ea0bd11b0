package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plait/internal/pipeline"
)

// eraseRecord is a page as `plait erase --json` prints it: a page as `plait read --json` does, and what became of it.
type eraseRecord struct {
	Page     string `json:"page"`
	File     string `json:"file"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	FromLang string `json:"from_lang"`
	// Elapsed are the parts of reading, then erase and encode, and the total of all.
	Elapsed pipeline.ElapsedMS `json:"elapsed_ms"`
	// ChangedPixels is how many pixels of the page differ.
	ChangedPixels int               `json:"changed_pixels"`
	Regions       []pipeline.Region `json:"regions"`
}

// erasePrinter prints what became of pages, and counts those that failed.
type erasePrinter struct {
	failures
	out    io.Writer
	asJSON bool
}

func newErasePrinter(c *cobra.Command, asJSON bool) *erasePrinter {
	return &erasePrinter{failures: failures{errs: c.ErrOrStderr()}, out: c.OutOrStdout(), asJSON: asJSON}
}

// print prints one page: its failure, which people see beside the results, or what was erased.
func (p *erasePrinter) print(done erasedPage) error {
	switch {
	case done.err != nil:
		if err := p.add(done.page, done.err); err != nil || !p.asJSON {
			return err
		}
		return p.encode(readFailure{Page: done.page, Error: readError{Code: pipeline.CodeOf(done.err), Message: explain(done.err)}})
	case p.asJSON:
		record := eraseRecord{
			Page: done.page, File: done.file, Width: done.found.Width, Height: done.found.Height, FromLang: done.found.FromLang,
			Elapsed: done.elapsed, ChangedPixels: done.changed, Regions: done.found.Regions,
		}
		if record.Regions == nil {
			record.Regions = []pipeline.Region{}
		}
		return p.encode(record)
	default:
		_, err := fmt.Fprintf(p.out, "%s: %s erased → %s\n", done.page, count(len(done.found.Regions), "region"), done.file)
		return err
	}
}

func (p *erasePrinter) encode(line any) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}
