package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"plait/internal/benchtest"
)

// result is what was measured of a file with one stand-in.
type result struct {
	File         string  `json:"file"`
	StandIn      string  `json:"stand_in"`
	Report       bool    `json:"report"`
	Pages        int     `json:"pages"`
	Texts        int     `json:"texts"`
	Unset        int     `json:"unset"`
	Small        int     `json:"small"`
	Touch        int     `json:"touching_glyphs"`
	Cut          int     `json:"cut_glyphs"`
	Formulas     int     `json:"formulas"`
	LostFormulas int     `json:"lost_formulas"`
	LostLinks    int     `json:"lost_links"`
	Loose        int     `json:"fonts_not_embedded"`
	Characters   int     `json:"characters"`
	Found        int     `json:"characters_found"`
	Ordered      int     `json:"characters_in_order"`
	SSIM         float64 `json:"ssim,omitempty"`
	Bytes        int     `json:"added_bytes"`
	LayoutTime   float64 `json:"layout_seconds_per_page"`
	SetTime      float64 `json:"set_seconds_per_page"`
	WriteTime    float64 `json:"write_seconds_per_page"`

	layout, set, write time.Duration
}

func (r *result) add(o result) {
	r.Pages, r.Texts, r.Unset, r.Small = r.Pages+o.Pages, r.Texts+o.Texts, r.Unset+o.Unset, r.Small+o.Small
	r.Touch, r.Cut, r.Formulas, r.LostFormulas = r.Touch+o.Touch, r.Cut+o.Cut, r.Formulas+o.Formulas, r.LostFormulas+o.LostFormulas
	r.LostLinks, r.Loose, r.Characters, r.Found = r.LostLinks+o.LostLinks, r.Loose+o.Loose, r.Characters+o.Characters, r.Found+o.Found
	r.Ordered, r.SSIM, r.Bytes = r.Ordered+o.Ordered, min(r.SSIM, o.SSIM), r.Bytes+o.Bytes
	r.layout, r.set, r.write = r.layout+o.layout, r.set+o.set, r.write+o.write
}

func (r *result) finish() {
	n := float64(max(r.Pages, 1))
	r.LayoutTime, r.SetTime, r.WriteTime = r.layout.Seconds()/n, r.set.Seconds()/n, r.write.Seconds()/n
	if r.StandIn != "same" {
		r.SSIM = 0
	}
}

// print prints the results of the files and their sums, and writes the sums to the file of -figures (see package benchtest).
func (o options) print(ctx context.Context, list []result) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "file\tstand-in\tpages\ttexts\tunset\tsmall\ttouch\tcut\tformulas\tlost\tlinks\tloose\ttext\torder\tSSIM\tkB\tlayout\tset\twrite\t")
	for _, r := range list {
		r.finish()
		r.row(w)
	}
	for _, r := range sums(list) {
		r.finish()
		r.row(w)
		var names []string
		for _, one := range list {
			if one.Report == r.Report && one.StandIn == r.StandIn {
				names = append(names, one.File+".pdf")
			}
		}
		if err := benchtest.WriteTo(ctx, names, r); err != nil {
			return err
		}
	}
	return w.Flush()
}

// sums are those of each half and stand-in.
func sums(list []result) (sums []result) {
	for _, r := range list {
		i := slices.IndexFunc(sums, func(s result) bool { return s.Report == r.Report && s.StandIn == r.StandIn })
		if i < 0 {
			r.File = "tuning"
			if r.Report {
				r.File = "report"
			}
			sums = append(sums, r)
			continue
		}
		sums[i].add(r)
	}
	return sums
}

func (r *result) row(w io.Writer) {
	share := func(n int) float64 { return float64(n) / float64(max(r.Characters, 1)) }
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.4f\t%.4f\t%.4f\t%d\t%.2f\t%.3f\t%.2f\t\n",
		r.File, r.StandIn, r.Pages, r.Texts, r.Unset, r.Small, r.Touch, r.Cut, r.Formulas, r.LostFormulas, r.LostLinks, r.Loose,
		share(r.Found), share(r.Ordered), r.SSIM, r.Bytes/1000, r.LayoutTime, r.SetTime, r.WriteTime)
}
