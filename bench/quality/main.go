// Command quality measures how well Plait finds and reads the text of pages whose text is known. It prints the figures by book and
// language, and separately for the books of -report, on which nothing may be tuned. With -ablation it also prints what each pass of
// reading gains and costs.
//
//	go run ./bench/quality -pages ../shared/comics -report "ep11 ep17"
//
// The folder of -pages contains folders BOOK/LANG with pages such as 01.jpg, each with its text in 01.json: {"blocks": [{"box": [left,
// top, right, bottom], "lines": [...]}]}, in pixels. A block is a sound if its text is on the page four times or more, or has no letter
// and no digit; all other blocks are dialogue.
//
// The columns:
//
//   - found: share of blocks that recognized lines cover by 40 % or more
//   - read: share of blocks with at most half as many errors as characters
//   - exact: share of blocks without an error in letters and digits
//   - CER: character error rate of all blocks
//   - letters: the same for letters and digits only
//   - false: number of lines where there is no text, except on the last page of a folder, which has credits
//   - CPU s, wall s: seconds for each page, for detection and recognition on one thread
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

// options are the values of the flags.
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
	flag.StringVar(&o.pages, "pages", "", "folder with pages in folders BOOK/LANG")
	flag.StringVar(&o.assets, "assets", "build/assets", "asset folder")
	flag.StringVar(&report, "report", "", "books for the report, separated by spaces")
	flag.StringVar(&langs, "langs", "", "languages to read, separated by spaces; empty: all")
	flag.StringVar(&without, "without", "", "passes of reading to omit, separated by spaces")
	flag.IntVar(&o.every, "every", 1, "read only every n-th page of a folder")
	flag.IntVar(&o.drawn, "drawn", 0, "number of drawn manga pages to read in addition, for each half")
	flag.BoolVar(&o.ablation, "ablation", false, "print what each pass gains and costs, except those of -without")
	flag.StringVar(&o.python, "peer", "", "Python with rapidocr, which reads the same pages for comparison")
	flag.BoolVar(&o.fast, "fast", false, "detect text on reduced pages")
	flag.StringVar(&o.predictions, "predictions", "", "folder for the recognized lines, in files BOOK-LANG.json")
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
			return fmt.Errorf("pass %q is not known; known are %v", name, comic.AllPasses())
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

// print prints the tables, and writes the sums of each half to the file of -figures (see package benchtest).
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

// list returns the pages of the folder, then the drawn pages.
func (o options) list() (list []truePage, err error) {
	if o.pages != "" {
		if list, err = pages(o.pages, o.langs, o.every); err != nil {
			return nil, err
		}
	}
	drawn, err := drawnPages(filepath.Join(o.assets, "fonts"), o.drawn)
	return append(list, drawn...), err
}

// way is one configuration of reading, with its results: a row for each folder.
type way struct {
	name    string // the pass that it omits; "plait" or the peer in the file of figures
	without comic.Passes
	rows    []row
}

// add adds the result of a page to the row of its folder.
func (w *way) add(p truePage, t tally) {
	if n := len(w.rows); n == 0 || w.rows[n-1].book != p.Book || w.rows[n-1].lang != p.Lang {
		w.rows = append(w.rows, row{book: p.Book, lang: p.Lang})
	}
	w.rows[len(w.rows)-1].add(t)
}

// read reads each page in every way, and then with the peer if there is one, so that other load on the machine affects all alike.
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

// readPage reads one page and scores the result.
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

// score compares the recognized lines of a page with its known text.
func (p truePage) score(lines []found, cpu, wall time.Duration) tally {
	t := tally{pages: 1, cpu: cpu, wall: wall}
	var wrong []found
	t.blocks, wrong = score(p.Blocks, lines)
	if !p.Last {
		t.wrong = len(wrong)
	}
	return t
}

// keep writes the recognized lines to the folder of -predictions.
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

// processorTime returns the CPU time that this process has used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
