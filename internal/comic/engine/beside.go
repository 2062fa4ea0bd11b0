package engine

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"plait/internal/comic"
	"plait/internal/comic/lineseg"
	"plait/internal/comic/ocr"
	"plait/internal/raster"
)

const (
	// toldProb is the least probability of a line beside which others are looked for, and of these.
	toldProb = 0.7
	// overlookedRounds is how often lines are looked for beside those found last.
	overlookedRounds = 4
)

// readOverlooked reads lines that the ink beside others tells, then those beside these. Where they are surely read they are
// added; doubtful lines of the same ink, which were cut badly, go. Columns are what detectors overlook: a page that is set in rows
// alone is not looked at again.
func (e *Engine) readOverlooked(ctx context.Context, page sighted, r *reading) error {
	if e.without.Lack(comic.PassOverlooked) {
		return nil
	}
	if !slices.ContainsFunc(r.lines, func(l ocr.Reading) bool { return l.Vertical && isTold(l) }) {
		return nil
	}
	var tried []raster.Quad
	for range overlookedRounds {
		told := make([]bool, len(r.lines))
		for i, l := range r.lines {
			told[i] = isTold(l)
		}
		columns, rows := lineseg.Overlooked(page.paper(), r.quads, told, tried)
		found, err := e.readDirected(ctx, page, columns, rows)
		if err != nil {
			return err
		}
		tried = append(tried, found.quads...)
		more := false
		for i, l := range found.readings {
			if isTold(l) && r.takeDoubtful(found.quads[i], l) {
				more = true
			}
		}
		if !more {
			break
		}
	}
	return nil
}

// takeDoubtful adds a line in place of doubtful ones that it covers. One that covers none is added only if it says enough to be
// no stroke of the art.
func (r *reading) takeDoubtful(quad raster.Quad, line ocr.Reading) bool {
	all := lines{quads: []raster.Quad{quad}, readings: []ocr.Reading{line}}
	for i, q := range r.quads {
		if isTold(r.lines[i]) || covering(q, quad) < sameText {
			all.add(q, r.lines[i])
		}
	}
	if len(all.quads) > len(r.quads) && !isText(line) {
		return false
	}
	r.quads, r.lines = all.quads, all.readings
	return true
}

// readDirected reads lines whose direction is known.
func (e *Engine) readDirected(ctx context.Context, page sighted, columns, rows []raster.Quad) (lines, error) {
	down, err := page.read(ctx, columns, e.readColumns)
	if err != nil {
		return lines{}, err
	}
	level, err := page.read(ctx, rows, e.recognizer.Read)
	return lines{slices.Concat(columns, rows), slices.Concat(down, level)}, err
}

// isTold reports whether a line is surely Chinese or Japanese.
func isTold(l ocr.Reading) bool {
	return l.Prob >= toldProb && strings.ContainsFunc(l.Text, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana)
	})
}
