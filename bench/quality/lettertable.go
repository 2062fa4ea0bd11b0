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

// letterHalves are the names of the sums of lettering.
var letterHalves = []string{tuningHalf, tuningHalf + stripEnding, reportHalf, reportHalf + stripEnding, exampleHalf}

// letterRow is a row of the table of lettering: the pages of a book in one language, with texts in another.
type letterRow struct {
	book, half, onto, text string
	names                  []string // of the pages
	letterTally
}

// letterRows are the rows in the order in which they began.
type letterRows []*letterRow

// row returns the row of a book and a direction, and adds it if there is none.
func (l *letterRows) row(book, half, onto, text string) *letterRow {
	i := slices.IndexFunc(*l, func(r *letterRow) bool { return r.book == book && r.onto == onto && r.text == text })
	if i < 0 {
		i = len(*l)
		*l = append(*l, &letterRow{book: book, half: half, onto: onto, text: text})
	}
	return (*l)[i]
}

// sums returns the sum of each half and direction.
func (l letterRows) sums() letterRows {
	var all letterRows
	for _, r := range l {
		s := all.row(r.half, r.half, r.onto, r.text)
		s.names = append(s.names, r.names...)
		s.add(r.letterTally)
	}
	slices.SortStableFunc(all, func(a, b *letterRow) int {
		return cmp.Compare(slices.Index(halves, a.half), slices.Index(halves, b.half))
	})
	return all
}

const letterHeader = "\tpages\tblocks\tdialogue\toutside\toverflow\tmargin\tp10\tkept\tsame size\tsame weight\tpitch\tbreaks\twidth\theight\tCER\texact\ts/page\t\n"

// write prints the table of lettering: the rows of each half, followed by their sums, and then the blocks with a fault.
func (l letterRows) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, letterHeader)
	sums := l.sums()
	for _, half := range letterHalves {
		for _, r := range l {
			if r.half == half {
				r.line(t)
			}
		}
		for _, r := range sums {
			if r.half == half {
				r.line(t)
			}
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range l {
		for _, fault := range r.faults {
			fmt.Fprintln(w, fault)
		}
	}
	return nil
}

func (r *letterRow) line(w io.Writer) {
	f := r.figures()
	fmt.Fprintf(w, "%s %s→%s\t%d\t%d\t%d\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.4f\t%.3f\t%.2f\t\n", r.book, r.onto, r.text, f.Pages, f.Blocks, f.Dialogue,
		f.Outside, f.Overflow, f.MarginMedian, f.MarginP10, f.MarginKept, f.SameSize, f.SameWeight, f.Pitch, f.Breaks, f.Width, f.Height, f.CER, f.Exact, f.SecondsPerPage)
}

// writeFigures writes a line for each half and direction to the file of -figures.
func (l letterRows) writeFigures(ctx context.Context) error {
	for _, r := range l.sums() {
		f := r.figures()
		f.Case, f.Half, f.Onto, f.Text = "letter", r.half, r.onto, r.text
		if err := benchtest.WriteTo(ctx, r.names, f); err != nil {
			return err
		}
	}
	return nil
}
