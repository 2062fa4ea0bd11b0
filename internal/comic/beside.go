package comic

import (
	"context"
	"image"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/comic/ocr"
	"plait/internal/comic/reline"
	"plait/internal/pipeline"
)

const (
	// toldProb is the least probability of a line beside which others are looked for, and of these.
	toldProb = 0.7
	// overlookedRounds is how often lines are looked for beside those found last.
	overlookedRounds = 4
)

// readAmongColumns reads lines once more as columns that stand among columns: a column of two or three kana is as high as a
// letter, and was read as some.
func (e *Engine) readAmongColumns(ctx context.Context, img *image.NRGBA, r *reading) error {
	var quads []pipeline.Quad
	var places []int
	for i, q := range r.quads {
		if !r.lines[i].Vertical && isHigh(q) && r.besideColumn(i) {
			quads, places = append(quads, q), append(places, i)
		}
	}
	columns, err := e.recognizer.ReadColumns(ctx, img, quads)
	for k, column := range columns {
		if upright := &r.lines[places[k]]; isTold(column) && !isTold(*upright) {
			*upright = column
		}
	}
	return err
}

// isHigh reports whether a line is higher than wide by so much that it may be a column.
func isHigh(q pipeline.Quad) bool {
	x0, y0, x1, y1 := q.Bounds()
	return y1-y0 >= ocr.DefaultParams().VerticalRatio*(x1-x0)
}

// besideColumn reports whether a column of about its width and several characters stands next to line number i.
func (r *reading) besideColumn(i int) bool {
	x0, y0, x1, y1 := r.quads[i].Bounds()
	for k, l := range r.lines {
		a0, b0, a1, b1 := r.quads[k].Bounds()
		small, large := min(x1-x0, a1-a0), max(x1-x0, a1-a0)
		if k != i && l.Vertical && isTold(l) && utf8.RuneCountInString(l.Text) > 1 && large <= 2*small &&
			max(x0, a0)-min(x1, a1) < small && max(y0, b0) < min(y1, b1) {
			return true
		}
	}
	return false
}

// readOverlooked reads lines that the ink beside others tells, then those beside these. Where they are surely read they are
// added; doubtful lines of the same ink, which were cut badly, go.
func (e *Engine) readOverlooked(ctx context.Context, img *image.NRGBA, r *reading) error {
	var tried []pipeline.Quad
	for range overlookedRounds {
		told := make([]bool, len(r.lines))
		for i, l := range r.lines {
			told[i] = isTold(l)
		}
		columns, rows := reline.Overlooked(img, r.quads, told, tried)
		found, err := e.readDirected(ctx, img, columns, rows)
		if err != nil {
			return err
		}
		tried = append(tried, found.quads...)
		more := false
		for i, l := range found.readings {
			if isTold(l) {
				r.replaceDoubtful(found.quads[i], l)
				more = true
			}
		}
		if !more {
			break
		}
	}
	return nil
}

// replaceDoubtful adds a line in place of doubtful ones that it covers.
func (r *reading) replaceDoubtful(quad pipeline.Quad, line ocr.Reading) {
	all := lines{quads: []pipeline.Quad{quad}, readings: []ocr.Reading{line}}
	for i, q := range r.quads {
		if isTold(r.lines[i]) || covering(q, quad) < sameText {
			all.add(q, r.lines[i])
		}
	}
	r.quads, r.lines = all.quads, all.readings
}

// readDirected reads lines whose direction is known.
func (e *Engine) readDirected(ctx context.Context, img *image.NRGBA, columns, rows []pipeline.Quad) (lines, error) {
	down, err := e.recognizer.ReadColumns(ctx, img, columns)
	if err != nil {
		return lines{}, err
	}
	level, err := e.recognizer.Read(ctx, img, rows)
	return lines{slices.Concat(columns, rows), slices.Concat(down, level)}, err
}

// isTold reports whether a line is surely Chinese or Japanese.
func isTold(l ocr.Reading) bool {
	return l.Prob >= toldProb && strings.ContainsFunc(l.Text, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana)
	})
}
