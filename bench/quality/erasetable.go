package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"plait/internal/benchtest"
)

// eraseRow is a row of the table of erasing: the pages of a book in one language.
type eraseRow struct {
	book, lang, half string
	names            []string // of the pages
	eraseTally
}

// classFigures are the figures of the blocks of one class: their number, and the PSNR of their zones together in dB.
type classFigures struct {
	Blocks int     `json:"blocks"`
	DB     float64 `json:"zone_db"`
}

// eraseFigures are the figures of an eraseTally. DB are those of the zone of a block.
type eraseFigures struct {
	Case      string       `json:"case"`
	Half      string       `json:"half"`
	Pages     int          `json:"pages"`
	Blocks    int          `json:"blocks"`
	Flat      classFigures `json:"flat"`
	Mixed     classFigures `json:"mixed"`
	Art       classFigures `json:"art"`
	Median    float64      `json:"db_median"`
	P10       float64      `json:"db_p10"`
	Least     float64      `json:"db_least"`
	Bad       int          `json:"blocks_under_15_db"`
	Clean     float64      `json:"clean_blocks"`
	Missed    int          `json:"blocks_missed"`
	Kept      int          `json:"blocks_kept"`
	Destroyed int          `json:"blocks_destroyed"`
	Far       int          `json:"pixels_changed_far"`
}

func (t *eraseTally) figures() eraseFigures {
	f := eraseFigures{Pages: t.pages, Blocks: len(t.blocks), Far: t.far}
	var all []float64
	clean := 0
	for _, b := range t.blocks {
		if b.kept {
			f.Kept++
			continue
		}
		all = append(all, b.db())
		f.Bad, f.Missed, f.Destroyed = f.Bad+count(b.db() < badDB), f.Missed+count(b.missed), f.Destroyed+count(b.destroyed)
		clean += count(b.clean)
	}
	for c, to := range map[class]*classFigures{flat: &f.Flat, mixed: &f.Mixed, art: &f.Art} {
		*to = t.ofClass(c)
	}
	f.Median, f.P10, f.Least, f.Clean = round(quantile(all, 0.5)), round(quantile(all, 0.1)), round(quantile(all, 0)), round(ratio(clean, len(all)))
	return f
}

func (t *eraseTally) ofClass(c class) (f classFigures) {
	var squares float64
	pixels := 0
	for _, b := range t.blocks {
		if b.class == c && !b.kept {
			f.Blocks++
			squares, pixels = squares+b.squares, pixels+b.pixels
		}
	}
	if f.Blocks > 0 {
		f.DB = round(psnr(squares, pixels))
	}
	return f
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// eraseSums returns the sum of each half.
func eraseSums(rows []eraseRow) []eraseRow {
	var all []eraseRow
	for _, half := range halves {
		s := eraseRow{book: half, half: half}
		for _, r := range rows {
			if r.half == half {
				s.names = append(s.names, r.names...)
				s.add(r.eraseTally)
			}
		}
		if s.pages > 0 {
			all = append(all, s)
		}
	}
	return all
}

const eraseHeader = "\tpages\tblocks\tflat\tdB\tmixed\tdB\tart\tdB\tmedian\tp10\tleast\t<15 dB\tclean\tmissed\tkept\tdestroyed\tfar px\t\n"

// writeErased prints the table of erasing, with the rows of each half followed by their sum, and then the worst blocks of each half.
func writeErased(w io.Writer, rows []eraseRow) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, eraseHeader)
	sums := eraseSums(rows)
	for _, s := range sums {
		for _, r := range rows {
			if r.half == s.half {
				r.line(t)
			}
		}
		s.line(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, s := range sums {
		s.writeWorst(w)
	}
	return nil
}

func (r eraseRow) line(w io.Writer) {
	f := r.figures()
	fmt.Fprintf(w, "%s %s\t%d\t%d\t%d\t%.1f\t%d\t%.1f\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%d\t%.2f\t%d\t%d\t%d\t%d\t\n", r.book, r.lang, f.Pages, f.Blocks,
		f.Flat.Blocks, f.Flat.DB, f.Mixed.Blocks, f.Mixed.DB, f.Art.Blocks, f.Art.DB, f.Median, f.P10, f.Least, f.Bad, f.Clean, f.Missed, f.Kept, f.Destroyed, f.Far)
}

// writeWorst prints the worst blocks of a half, and those that are destroyed.
func (r eraseRow) writeWorst(w io.Writer) {
	const worst = 12
	fmt.Fprintln(w, "\nworst blocks, "+r.half)
	blocks := slices.Clone(r.blocks)
	slices.SortStableFunc(blocks, func(a, b erasedBlock) int { return cmp.Compare(a.db(), b.db()) })
	for i, b := range blocks {
		if i < worst || b.destroyed {
			fmt.Fprintf(w, "%5.1f dB  %-5s %s: %s%s\n", b.db(), b.class, b.page, shortened(b.text), b.remarks())
		}
	}
}

func (b erasedBlock) remarks() (s string) {
	switch {
	case b.kept:
		s += " (kept)"
	case b.missed:
		s += " (missed)"
	}
	if b.destroyed {
		s += " (destroyed)"
	}
	return s
}

// writeEraseFigures writes a line for each half to the file of -figures.
func writeEraseFigures(ctx context.Context, rows []eraseRow) error {
	for _, s := range eraseSums(rows) {
		f := s.figures()
		f.Case, f.Half = "erase", s.half
		if err := benchtest.WriteTo(ctx, s.names, f); err != nil {
			return err
		}
	}
	return nil
}
