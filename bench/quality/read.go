package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/languages"
)

// way is one configuration of reading, with its results: a row for each folder.
type way struct {
	name    string // the pass that it omits; "plait" or the peer in the file of figures
	without []comic.Pass
	rows    []row
}

// add adds the result of a page to the row of its folder.
func (w *way) add(p truePage, t tally) {
	if n := len(w.rows); n == 0 || w.rows[n-1].book != p.Book || w.rows[n-1].lang != p.Lang {
		w.rows = append(w.rows, row{book: p.Book, lang: p.Lang})
	}
	w.rows[len(w.rows)-1].add(t)
}

// readPage reads one page and scores the result.
func readPage(ctx context.Context, e *engine.Engine, p truePage) (*engine.Context, []found, tally, error) {
	file, err := p.content()
	if err != nil {
		return nil, nil, tally{}, err
	}
	decoded, err := e.Decode(ctx, file)
	if err != nil {
		return nil, nil, tally{}, err
	}
	began, cpu := time.Now(), processorTime()
	c, out, err := decoded.Detect(ctx, comic.Options{From: languages.Auto})
	if err != nil {
		return nil, nil, tally{}, err
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
	return c, lines, p.score(lines, cpu, wall), nil
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
