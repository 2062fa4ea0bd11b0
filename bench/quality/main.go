// Command quality reads pages whose text is known, and prints how much of it was found and read, by book and language. The
// books of -report are those that nothing was tuned on: their figures stand apart. With -ablation it prints what each pass of
// reading gains and costs.
//
//	go run ./bench/quality -pages ../shared/comics -report "ep11 ep17"
//
// PAGES holds folders BOOK/LANG with pages 01.jpg and their text in 01.json: {"blocks": [{"box": [left, top, right, bottom],
// "lines": [...]}]}, in pixels. Dialogue is all that is no sound: a text that stands on a page four times or more, or that has
// no letter and no digit. "found" is the share of blocks of which lines cover 40 %, "read" that with half of the characters right,
// "exact" that with all letters right; CER is the character error rate over all blocks, "letters" that of letters and
// digits alone; "false" counts lines where there is no text, but on the last page
// of a folder, whose credits are no lettering. Seconds are those of finding and reading, on one thread.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"plait/internal/assets"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/languages"
	"plait/internal/onnx"
	"plait/internal/picture"
)

// options are the flags.
type options struct {
	pages, assets, predictions string
	langs, report, without     []string
	every, drawn               int
	ablation, fast             bool
	python                     string
}

func main() {
	var o options
	var langs, report, without string
	flag.StringVar(&o.pages, "pages", "", "folder of folders BOOK/LANG of pages")
	flag.StringVar(&o.assets, "assets", "build/assets", "folder of the models")
	flag.StringVar(&report, "report", "", "books that are kept for the report")
	flag.StringVar(&langs, "langs", "", "languages; all without")
	flag.StringVar(&without, "without", "", "passes of reading that are left out")
	flag.IntVar(&o.every, "every", 1, "read every so many pages of a folder alone")
	flag.IntVar(&o.drawn, "drawn", 0, "draw so many pages of manga for each half, too")
	flag.BoolVar(&o.ablation, "ablation", false, "print what each pass gains and costs, those of -without left out")
	flag.StringVar(&o.python, "peer", "", "Python that has rapidocr, which reads the same pages in turns")
	flag.BoolVar(&o.fast, "fast", false, "look for text on reduced pages")
	flag.StringVar(&o.predictions, "predictions", "", "folder for what was read, a file BOOK-LANG.json of lines each")
	flag.Parse()
	o.langs, o.report, o.without = strings.Fields(langs), strings.Fields(report), strings.Fields(without)
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "quality: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	list, err := o.list()
	if err != nil {
		return err
	}
	left := make(comic.Passes, len(o.without))
	for i, name := range o.without {
		if left[i] = comic.Pass(name); !comic.AllPasses().Lack(left[i]) {
			return fmt.Errorf("no pass is named %q; there are %v", name, comic.AllPasses())
		}
	}
	ways := []way{{without: left}}
	if o.ablation {
		for _, pass := range comic.AllPasses() {
			if !left.Lack(pass) {
				ways = append(ways, way{name: string(pass), without: append(comic.Passes{pass}, left...)})
			}
		}
	}
	var other *peer
	if o.python != "" {
		if other, err = startPeer(ctx, o.python); err != nil {
			return err
		}
	}
	theirs, err := o.read(ctx, list, ways, other)
	if other != nil {
		err = errors.Join(err, other.close())
	}
	if err == nil {
		err = o.print(ctx, list, ways, theirs)
	}
	return err
}

// print prints the tables, and writes the sums of the halves to the file of -figures.
func (o options) print(ctx context.Context, list []truePage, ways []way, theirs way) error {
	if err := write(os.Stdout, ways[0].rows, o.report); err != nil {
		return err
	}
	if len(theirs.rows) > 0 {
		fmt.Println("\n" + theirs.name)
		if err := write(os.Stdout, theirs.rows, o.report); err != nil {
			return err
		}
		writeRatios(os.Stdout, ways[0].rows, theirs.rows, o.report)
	}
	if o.ablation {
		if err := writeAblation(os.Stdout, ways[0], ways[1:], o.report); err != nil {
			return err
		}
	}
	ways[0].name = "plait"
	return o.writeFigures(ctx, list, ways[0], theirs)
}

// list are the pages below the folder, then the drawn ones.
func (o options) list() (list []truePage, err error) {
	if o.pages != "" {
		if list, err = pages(o.pages, o.langs, o.every); err != nil {
			return nil, err
		}
	}
	drawn, err := drawnPages(filepath.Join(o.assets, "fonts"), o.drawn)
	return append(list, drawn...), err
}

// way is a way of reading, and what it came to: a row for each folder.
type way struct {
	name    string // of the pass that it lacks
	without comic.Passes
	rows    []row
}

// add counts a page in the row of its folder.
func (w *way) add(p truePage, t tally) {
	if n := len(w.rows); n == 0 || w.rows[n-1].book != p.Book || w.rows[n-1].lang != p.Lang {
		w.rows = append(w.rows, row{book: p.Book, lang: p.Lang})
	}
	w.rows[len(w.rows)-1].add(t)
}

// read reads each page in every way, and by the peer where there is one, one after the other, so that what else the machine does
// weighs on all alike.
func (o options) read(ctx context.Context, list []truePage, ways []way, other *peer) (theirs way, err error) {
	set, err := assets.Open(o.assets)
	if err != nil {
		return theirs, err
	}
	e, err := engine.Open(ctx, engine.Config{
		Assets: set, Device: onnx.CPU, Threads: 1, Places: 1, Workers: 1, Fast: o.fast, Limits: picture.DefaultLimits(),
	})
	if err != nil {
		return theirs, err
	}
	defer func() { _ = e.Close() }()
	lines := map[string][]found{}
	for _, p := range list {
		for i := range ways {
			w := &ways[i]
			read, t, err := readPage(ctx, e.Without(w.without), p)
			if err != nil {
				return theirs, fmt.Errorf("%s %s: %w", p.Book, p.Name, err)
			}
			w.add(p, t)
			if i == 0 {
				lines[p.Book+"-"+p.Lang] = append(lines[p.Book+"-"+p.Lang], read...)
			}
		}
		if other != nil {
			t, err := other.read(p)
			if err != nil {
				return theirs, fmt.Errorf("the peer, %s %s: %w", p.Book, p.Name, err)
			}
			theirs.name = "rapidocr " + other.version
			theirs.add(p, t)
		}
	}
	return theirs, o.keep(lines)
}

// readPage reads one page, and scores what was read.
func readPage(ctx context.Context, e *engine.Engine, p truePage) ([]found, tally, error) {
	file := p.Image
	if file == nil {
		var err error
		if file, err = os.ReadFile(p.File); err != nil {
			return nil, tally{}, err
		}
	}
	decoded, err := e.Decode(ctx, file)
	if err != nil {
		return nil, tally{}, err
	}
	began, cpu := time.Now(), processorTime()
	_, out, err := decoded.Detect(ctx, comic.Options{From: languages.Auto})
	if err != nil {
		return nil, tally{}, err
	}
	cpu, wall := processorTime()-cpu, time.Since(began)
	var lines []found
	for _, r := range out.Regions {
		for i, q := range r.Lines {
			l := found{Page: p.Name, Text: r.Texts[i], Prob: r.Prob}
			l.Box[0], l.Box[1], l.Box[2], l.Box[3] = q.Bounds()
			lines = append(lines, l)
		}
	}
	return lines, p.score(lines, cpu, wall), nil
}

// score compares what was read on a page with what stands there.
func (p truePage) score(lines []found, cpu, wall time.Duration) tally {
	t := tally{pages: 1, cpu: cpu, wall: wall}
	var wrong []found
	t.blocks, wrong = score(p.Blocks, lines)
	if !p.Last {
		t.wrong = len(wrong)
	}
	return t
}

// keep writes what was read.
func (o options) keep(lines map[string][]found) error {
	if o.predictions == "" {
		return nil
	}
	for name, list := range lines {
		b, err := json.Marshal(list)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.predictions, name+".json"), b, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// processorTime is what this process has computed so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
