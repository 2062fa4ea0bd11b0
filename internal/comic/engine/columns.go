package engine

import (
	"context"
	"image"
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
	"plait/internal/comic/lineseg"
	"plait/internal/comic/ocr"
	"plait/internal/raster"
)

// readAmongColumns reads lines once more as columns that stand among columns: a column of two or three kana is as high as a
// letter, and was read as some. Columns in doubt are read by their characters.
func (e *Engine) readAmongColumns(ctx context.Context, page sighted, r *reading) error {
	if e.without.Lack(comic.PassColumns) {
		return nil
	}
	var quads []raster.Quad
	var places []int
	for i, q := range r.quads {
		l := &r.lines[i]
		switch {
		case l.Vertical && isTold(*l) && (l.Prob < sureColumn || endsInBar(l.Text)):
			var err error
			if *l, err = e.readByCharacters(ctx, page.paper(), q, *l); err != nil {
				return err
			}
		case !l.Vertical && isHigh(q) && r.besideColumn(i):
			quads, places = append(quads, q), append(places, i)
		}
	}
	columns, err := page.read(ctx, quads, e.readColumns)
	for k, column := range columns {
		if upright := &r.lines[places[k]]; isTold(column) && !isTold(*upright) {
			*upright = column
		}
	}
	return err
}

// isHigh reports whether a line is higher than wide by so much that it may be a column.
func isHigh(q raster.Quad) bool {
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

// readColumns reads columns, and those in doubt by their characters.
func (e *Engine) readColumns(ctx context.Context, img *image.NRGBA, quads []raster.Quad) ([]ocr.Reading, error) {
	columns, err := e.recognizer.ReadColumns(ctx, img, quads)
	if err != nil {
		return nil, err
	}
	for i, q := range quads {
		if columns[i].Prob >= sureColumn {
			continue
		}
		if columns[i], err = e.readByCharacters(ctx, img, q, columns[i]); err != nil {
			return nil, err
		}
	}
	return columns, nil
}

// readByCharacters reads a column by its characters, and keeps the surer reading. What is drawn otherwise in columns than in
// rows, as long vowels and dots, is misread upright: such a column stays, and a reading has to be of words alone.
func (e *Engine) readByCharacters(ctx context.Context, img *image.NRGBA, column raster.Quad, turned ocr.Reading) (ocr.Reading, error) {
	if isTold(turned) && strings.ContainsAny(strings.TrimRight(turned.Text, "ー。"), "ー….") {
		return turned, nil
	}
	characters := lineseg.Characters(img, column)
	if len(characters) == 0 {
		return turned, nil
	}
	level, err := e.recognizer.ReadLevel(ctx, img, characters)
	whole := utf8.RuneCountInString(level.Text) == len(characters) && !strings.ContainsFunc(level.Text, isNoWord)
	surer := level.Prob > turned.Prob || exclaims(turned.Text, level.Text)
	if err == nil && isTold(level) && whole && surer {
		return level, nil
	}
	return turned, err
}

// sureColumn is the least probability of a column that is not read again by its characters.
const sureColumn = 0.9

// endsInBar reports whether a column ends in a long vowel, or, as it is drawn like that, in a mark of exclamation.
func endsInBar(text string) bool { return strings.HasSuffix(strings.TrimRight(text, "。"), "ー") }

// exclaims reports whether two readings of a column differ by the mark of exclamation at its end alone.
func exclaims(turned, level string) bool {
	bar, cut := strings.CutSuffix(strings.TrimRight(turned, "。"), "ー")
	return cut && slices.Contains([]string{bar + "!", bar + "！"}, level)
}

// isNoWord reports whether a character is what kana are misread as.
func isNoWord(c rune) bool { return c < utf8.RuneSelf && c != '!' && c != '?' }
