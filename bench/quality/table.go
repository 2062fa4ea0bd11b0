package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"plait/internal/benchtest"
)

// tally is the result of reading some pages.
type tally struct {
	pages, wrong int
	blocks       []scored
	cpu, wall    time.Duration
}

func (t *tally) add(o tally) {
	t.pages, t.wrong, t.cpu, t.wall = t.pages+o.pages, t.wrong+o.wrong, t.cpu+o.cpu, t.wall+o.wall
	t.blocks = append(t.blocks, o.blocks...)
}

// figures are the results for one kind of block: shares of blocks, and character error rates.
type figures struct {
	blocks                                   int
	found, read, exact, errors, wrongLetters float64
}

func (t *tally) figures(k kind) figures {
	var f figures
	var characters, letters float64
	for _, b := range t.blocks {
		if b.kind != k {
			continue
		}
		f.blocks++
		f.found, f.read, f.exact = f.found+one(b.found), f.read+one(b.read), f.exact+one(b.exact)
		f.errors, f.wrongLetters = f.errors+b.errors, f.wrongLetters+b.wrongLetters
		characters, letters = characters+b.characters, letters+b.letters
	}
	n := float64(max(f.blocks, 1))
	f.found, f.read, f.exact = f.found/n, f.read/n, f.exact/n
	f.errors, f.wrongLetters = f.errors/max(characters, 1), f.wrongLetters/max(letters, 1)
	return f
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// seconds returns the CPU time and the wall time for each page, in seconds.
func (t *tally) seconds() (cpu, wall float64) {
	n := float64(max(t.pages, 1))
	return t.cpu.Seconds() / n, t.wall.Seconds() / n
}

// row is a row of a table: the pages of a book in one language.
type row struct {
	book, lang string
	tally
}

// The names of the sums: pages on which the engine may be tuned, pages for the report, the drawn pages of each sort, and the pages of
// -scripts.
const (
	tuningHalf  = "tuning"
	reportHalf  = "report"
	drawnTuning = "drawn tuning"
	drawnReport = "drawn report"
	exampleHalf = "examples"
)

var halves = []string{tuningHalf, reportHalf, drawnTuning, drawnReport, exampleHalf}

// half returns the half to which a book of -pages or of drawn pages belongs.
func (o options) half(book string) string { return halfOf(book, o.report) }

func halfOf(book string, report []string) string {
	switch {
	case book == drawnBooks[0]:
		return drawnTuning
	case book == drawnBooks[1]:
		return drawnReport
	case slices.Contains(report, book):
		return reportHalf
	default:
		return tuningHalf
	}
}

// half returns the half to which a row belongs.
func (r *row) half(report []string) string { return halfOf(r.book, report) }

// sum returns the sum of the rows of a half.
func sum(rows []row, report []string, half string) tally {
	var t tally
	for _, r := range rows {
		if r.half(report) == half {
			t.add(r.tally)
		}
	}
	return t
}

const header = "\tpages\tblocks\tfound\tread\texact\tCER\tletters\tfalse\tsounds\tfound\tread\tCPU s\twall s\t\n"

// write prints a table: the rows of each half, followed by their sum.
func write(w io.Writer, rows []row, report []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, header)
	for _, half := range halves {
		whole := sum(rows, report, half)
		if whole.pages == 0 {
			continue
		}
		for _, r := range rows {
			if r.half(report) == half {
				line(t, r.book+" "+r.lang, r.tally)
			}
		}
		line(t, half, whole)
	}
	return t.Flush()
}

func line(w io.Writer, name string, t tally) {
	d, s := t.figures(dialogue), t.figures(sound)
	cpu, wall := t.seconds()
	fmt.Fprintf(w, "%s\t%d\t%d\t%.3f\t%.3f\t%.3f\t%.4f\t%.4f\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t\n",
		name, t.pages, d.blocks, d.found, d.read, d.exact, d.errors, d.wrongLetters, t.wrong, s.blocks, s.found, s.read, cpu, wall)
}

// writeAblation prints what each pass gains and costs: the figures with the pass minus those without it.
func writeAblation(w io.Writer, whole way, without []way, report []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "pass\thalf\tfound\texact\tCER\tletters\tfalse\tsounds found\tsounds read\tCPU s\t\n")
	for _, one := range without {
		for _, half := range halves {
			if all := sum(whole.rows, report, half); all.pages > 0 {
				gain(t, one.name+"\t"+half, all, sum(one.rows, report, half))
			}
		}
	}
	return t.Flush()
}

func gain(w io.Writer, name string, all, less tally) {
	d, dl := all.figures(dialogue), less.figures(dialogue)
	s, sl := all.figures(sound), less.figures(sound)
	cpu, _ := all.seconds()
	cpuLess, _ := less.seconds()
	fmt.Fprintf(w, "%s\t%+.3f\t%+.3f\t%+.4f\t%+.4f\t%+d\t%+.2f\t%+.2f\t%+.2f\t\n", name,
		d.found-dl.found, d.exact-dl.exact, d.errors-dl.errors, d.wrongLetters-dl.wrongLetters, all.wrong-less.wrong,
		s.found-sl.found, s.read-sl.read, cpu-cpuLess)
}

// writeRatios prints how much faster Plait reads each half than the peer.
func writeRatios(w io.Writer, ours, theirs []row, report []string) {
	for _, half := range halves {
		mine, other := sum(ours, report, half), sum(theirs, report, half)
		if mine.pages == 0 || other.pages == 0 {
			continue
		}
		cpu, wall := mine.seconds()
		otherCPU, otherWall := other.seconds()
		fmt.Fprintf(w, "%s: Plait takes 1/%.2f of its CPU time and 1/%.2f of its wall time\n", half, otherCPU/cpu, otherWall/wall)
	}
}

// halfFigures is a line of the file of figures: the results of one program for one half.
type halfFigures struct {
	Case      string  `json:"case"`
	Half      string  `json:"half"`
	Pages     int     `json:"pages"`
	Blocks    int     `json:"blocks"`
	Found     float64 `json:"found"`
	Exact     float64 `json:"exact"`
	CER       float64 `json:"cer"`
	LetterCER float64 `json:"cer_of_letters"`
	False     int     `json:"false_positives"`
	CPU       float64 `json:"cpu_seconds_per_page"`
	Wall      float64 `json:"wall_seconds_per_page"`
}

// writeFigures writes the figures of each half, for Plait and the peer, to the file of -figures (see package benchtest).
func (o options) writeFigures(ctx context.Context, list []truePage, ways ...way) error {
	var pages []string
	for _, p := range list {
		pages = append(pages, p.path())
	}
	for _, w := range ways {
		for _, half := range halves {
			t := sum(w.rows, o.report, half)
			if t.pages == 0 {
				continue
			}
			f := t.figures(dialogue)
			cpu, wall := t.seconds()
			err := benchtest.WriteTo(ctx, pages, halfFigures{
				Case: w.name, Half: half, Pages: t.pages, Blocks: f.blocks, Found: f.found, Exact: f.exact, CER: f.errors, LetterCER: f.wrongLetters,
				False: t.wrong, CPU: cpu, Wall: wall,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// shortened returns the beginning of a text, for a line of a report.
func shortened(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
