// Command quality measures how well Plait reads, erases and letters pages whose text is known. It prints the figures by book and
// language, and separately for the books of -report, on which nothing may be tuned.
//
//	go run ./bench/quality -pages ../shared/comics -report "ep11 ep17" -erase -letter "en ja" -sheets build/quality
//
// The folder of -pages contains folders BOOK/LANG with pages such as 01.jpg, each with its text in 01.json: {"blocks": [{"box": [left,
// top, right, bottom], "lines": [...]}]}, in pixels. 01.notext.jpg is the same page without this text. With -drawn, manga pages are drawn
// in addition. With -sheets and -own-sheets, contact sheets are drawn: of the books of -report, or of all books if it is empty, of the drawn
// pages for the report, and of the pages of -scripts. The pages that the command makes are written beside the sheets of -sheets. With
// -figures, the sums are written to a file (see package benchtest).
//
// # Reading
//
// A block is a sound if its text is on the page four times or more, or has no letter and no digit; all other blocks are dialogue. With
// -ablation, the command also prints what each pass of reading gains and costs. The columns:
//
//   - found: share of blocks that recognized lines cover by 40 % or more
//   - read: share of blocks with at most half as many errors as characters
//   - exact: share of blocks without an error in letters and digits
//   - CER: character error rate of all blocks
//   - letters: the same for letters and digits only
//   - false: number of lines where there is no text, except on the last page of a folder, which has credits
//   - CPU s, wall s: seconds for each page, for detection and recognition on one thread
//
// # Erasing
//
// With -erase, the regions that overlap a block are erased: what a complete translation would replace. The result is compared with the page
// without text. Glyphs are the pixels in which the page differs from it. The zone of a block is what is within 6 pixels of its glyphs, and
// its error is the PSNR of the zone in dB, 60 at most. A block is flat if what is within 8 pixels of its glyphs has one color, mixed if 70 %
// of it have, and art otherwise. The contact sheets show the page, the erased page, and the page without text. The columns:
//
//   - flat, mixed, art: number of blocks, and PSNR of all their zones together
//   - median, p10, least: median, 10th percentile and minimum of the PSNR of all blocks
//   - <15 dB: number of blocks below 15 dB
//   - clean: share of blocks with 99.5 % of the glyph pixels within 24 levels of the truth
//   - missed: number of blocks with most of their glyphs as they were
//   - kept: number of blocks that the engine left as drawn, because it could not erase them cleanly; no other column counts them
//   - destroyed: number of blocks where erasing changed what is around the text: at least 60 connected pixels within 20 pixels of the
//     glyphs, all more than 2 pixels away from glyphs, where the page is the same as without text, and the erased page differs from it by
//     more than 48 levels
//   - far px: number of pixels that changed though no glyph is within 20 pixels
//
// destroyed and far px leave out the last page of a folder, whose credits are no blocks and may be erased.
//
// # Lettering
//
// With -letter "LANG LANG", the pages of each of these languages are lettered with the texts of each other one, which are given to regions
// by place. With -strip, the pages of a folder are also lettered as one strip. With -scripts, pages of the project are lettered from their
// scripts, and each text is edited. The contact sheets show the page, the lettered page, and the page in the language of the texts as a
// person lettered it. Dialogue is what stands on one color. Margins are the least distances of glyphs from another color, in cap heights.
// The columns:
//
//   - outside: number of dialogue blocks with a glyph beyond their ground or the page
//   - overflow: number of blocks that do not fit at a legible size
//   - margin, p10, kept: median and 10th percentile of margins, and share of those of 0.35 or more
//   - same size: share of the normal dialogue within 10 % of the median cap height of its page
//   - same weight: share of the dialogue whose strokes, in units of the height of its letters, are within 15 % of the width of those of the
//     person who lettered the page in the language of the texts, or of its source's without that person's page
//   - pitch: median distance of lines in cap heights
//   - breaks: number of line breaks inside texts that are those of the person who lettered the page in the language of the texts, as a share
//     of the mean number of breaks of both
//   - width, height: median extents of the texts in units of those of the same texts as that person lettered them
//   - CER, exact: error rate of letters and digits when the dialogue is read back, and share of blocks without an error
//   - s/page: seconds for each page, for erasing and lettering on one thread
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plait/internal/benchtest"
	"plait/internal/comic"
)

// options are the values of the flags.
type options struct {
	pages, assets, predictions      string
	langs, report, without          []string
	every, drawn, drawnFrom         int
	ablation, fast, erase, strip    bool
	letter                          []string
	scripts, otherSheets, ownSheets string
	python                          string
}

func main() {
	var o options
	var langs, report, without, letter string
	flag.StringVar(&o.pages, "pages", "", "folder with pages in folders BOOK/LANG")
	flag.StringVar(&o.assets, "assets", "build/assets", "asset folder")
	flag.StringVar(&report, "report", "", "books for the report, separated by spaces")
	flag.StringVar(&langs, "langs", "", "languages to read, separated by spaces; empty: all")
	flag.StringVar(&without, "without", "", "passes of reading to omit, separated by spaces")
	flag.IntVar(&o.every, "every", 1, "take only every n-th page of a folder")
	flag.IntVar(&o.drawn, "drawn", 0, "number of drawn manga pages to take in addition, for each half")
	flag.IntVar(&o.drawnFrom, "drawn-from", 0, "number of the first drawn page; another one gives pages that nobody has seen")
	flag.BoolVar(&o.ablation, "ablation", false, "print what each pass gains and costs, except those of -without")
	flag.StringVar(&o.python, "peer", "", "Python with rapidocr, which reads the same pages for comparison")
	flag.BoolVar(&o.fast, "fast", false, "read pages with the smaller models")
	flag.StringVar(&o.predictions, "predictions", "", "folder for the recognized lines, in files BOOK-LANG.json")
	flag.BoolVar(&o.erase, "erase", false, "erase the pages that are known without text, and compare")
	flag.StringVar(&letter, "letter", "", "languages of a book to letter its pages in, each with the texts of the others, separated by spaces; all: every language")
	flag.BoolVar(&o.strip, "strip", false, "with -letter, letter the pages of each folder as one strip too")
	flag.StringVar(&o.scripts, "scripts", "", "folder with folders of pages of the project, and scripts, to letter and edit")
	flag.StringVar(&o.otherSheets, "sheets", "", "folder for contact sheets of the pages of -pages")
	flag.StringVar(&o.ownSheets, "own-sheets", "", "folder for contact sheets of drawn pages and of the pages of -scripts")
	flag.Parse()
	o.langs, o.report, o.without, o.letter = strings.Fields(langs), strings.Fields(report), strings.Fields(without), strings.Fields(letter)
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "quality: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) (err error) {
	list, err := o.list()
	if err != nil {
		return err
	}
	m := &measurement{options: o}
	if m.ways, err = o.ways(); err != nil {
		return err
	}
	if o.python != "" {
		if m.other, err = startPeer(ctx, o.python); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.other.close()) }()
	}
	if err := m.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.engine.Close()) }()
	if err := m.run(ctx, list); err != nil {
		return err
	}
	return m.print(ctx, list)
}

// list returns the pages of the folder, then the drawn pages.
func (o options) list() (list []truePage, err error) {
	if o.pages != "" {
		if list, err = pages(o.pages, o.langs, o.every); err != nil {
			return nil, err
		}
	}
	drawn, err := drawnPages(filepath.Join(o.assets, "fonts"), o.drawnFrom, o.drawn)
	return append(list, drawn...), err
}

// ways returns the ways of reading: one without the passes of -without, and with -ablation one more for each other pass.
func (o options) ways() ([]way, error) {
	left := make([]comic.Pass, len(o.without))
	for i, name := range o.without {
		if left[i] = comic.Pass(name); !slices.Contains(comic.AllPasses(), left[i]) {
			return nil, fmt.Errorf("pass %q is not known; known are %v", name, comic.AllPasses())
		}
	}
	ways := []way{{without: left}}
	if o.ablation {
		for _, pass := range comic.AllPasses() {
			if !slices.Contains(left, pass) {
				ways = append(ways, way{name: string(pass), without: append([]comic.Pass{pass}, left...)})
			}
		}
	}
	return ways, nil
}

// sheetFolder returns the folder for the contact sheets of a page; empty for none. Pages on which the engine may be tuned have none, unless
// -report is empty.
func (o options) sheetFolder(p truePage) string {
	switch half := o.half(p.Book); {
	case half == drawnReport:
		return o.ownSheets
	case half == reportHalf, half == tuningHalf && len(o.report) == 0:
		return o.otherSheets
	default:
		return ""
	}
}

// print prints the tables, and writes the sums of each half to the file of -figures (see package benchtest).
func (m *measurement) print(ctx context.Context, list []truePage) error {
	m.ways[0].name = "plait"
	if err := m.printRead(); err != nil {
		return err
	}
	if err := m.writeFigures(ctx, list, m.ways[0], m.theirs); err != nil {
		return err
	}
	if len(m.erased) > 0 {
		fmt.Println("\nerasing")
		if err := errors.Join(writeErased(os.Stdout, m.erased), writeEraseFigures(ctx, m.erased)); err != nil {
			return err
		}
	}
	if len(m.lettered) > 0 {
		fmt.Println("\nlettering")
		if err := errors.Join(m.lettered.write(os.Stdout), m.lettered.writeFigures(ctx)); err != nil {
			return err
		}
	}
	if len(m.edits.took) == 0 {
		return nil
	}
	f := m.edits.figures(exampleHalf)
	fmt.Printf("\n%d edits: %.0f ms each, at most %.0f ms\n", f.Edits, f.PerEdit, f.AtMost)
	return benchtest.WriteTo(ctx, m.edited, f)
}

// printRead prints the tables of reading.
func (m *measurement) printRead() error {
	if len(m.ways[0].rows) == 0 {
		return nil
	}
	if err := write(os.Stdout, m.ways[0].rows, m.report); err != nil {
		return err
	}
	if len(m.theirs.rows) > 0 {
		fmt.Println("\n" + m.theirs.name)
		if err := write(os.Stdout, m.theirs.rows, m.report); err != nil {
			return err
		}
		writeRatios(os.Stdout, m.ways[0].rows, m.theirs.rows, m.report)
	}
	if m.ablation {
		return writeAblation(os.Stdout, m.ways[0], m.ways[1:], m.report)
	}
	return nil
}
