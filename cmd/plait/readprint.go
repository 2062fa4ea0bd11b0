package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/core"
)

// readRecord is a page as `plait read --json` prints it.
type readRecord struct {
	Page     string         `json:"page"`
	Width    int            `json:"width"`
	Height   int            `json:"height"`
	FromLang string         `json:"from_lang"`
	Elapsed  core.ElapsedMS `json:"elapsed_ms"`
	Regions  []comic.Region `json:"regions"`
}

// readPrinter prints what was read of pages.
type readPrinter struct{ pagePrinter }

func newReadPrinter(c *cobra.Command, asJSON bool) *readPrinter {
	return &readPrinter{newPagePrinter(c, asJSON)}
}

// print prints one page: its failure, or what was found.
func (p *readPrinter) print(r pageReading) error {
	switch {
	case r.err != nil:
		return p.fail(r.page, r.err)
	case p.asJSON:
		record := readRecord{
			Page: r.page, Width: r.found.Width, Height: r.found.Height, FromLang: r.found.FromLang,
			Elapsed: r.found.Elapsed, Regions: r.found.Regions,
		}
		if record.Regions == nil {
			record.Regions = []comic.Region{}
		}
		return p.encode(record)
	default:
		_, err := io.WriteString(p.out, describe(r))
		return err
	}
}

// describe is a page as a person reads it.
func describe(r pageReading) string {
	var b strings.Builder
	facts := []string{fmt.Sprintf("%d × %d", r.found.Width, r.found.Height)}
	if len(r.found.Regions) > 0 {
		facts = append(facts, r.found.FromLang, count(len(r.found.Regions), "region"))
	} else {
		facts = append(facts, "no text")
	}
	facts = append(facts, fmt.Sprintf("%.1f s", float64(r.found.Elapsed["total"])/1000))
	fmt.Fprintf(&b, "%s: %s\n", r.page, strings.Join(facts, ", "))
	for _, region := range r.found.Regions {
		text := region.Text
		if strings.TrimSpace(text) == "" {
			text = "(not read)"
		}
		fmt.Fprintf(&b, "%4d  %-9s %s  %s\n", region.Index, region.Kind, region.Direction, text)
	}
	return b.String()
}
