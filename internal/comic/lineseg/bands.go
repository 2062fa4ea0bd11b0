package lineseg

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/raster"
)

const (
	// rubyWidth is the greatest width of a band of furigana, in those of its line's.
	rubyWidth = 0.65
	// leastWidth and greatestWidth are how much the bands of lines differ from the widest usual one: one of kana alone is
	// narrower, and bands that overlap are one wide one.
	leastWidth, greatestWidth = 0.5, 1.35
	// widerBlank is how many times wider the blanks between lines are than those between characters, to tell them.
	widerBlank = 1.25
	// lineMargin and endMargin are what is left around the ink of a line, across and along it, in its widths: about what the
	// detector leaves. rubyMargin is that toward furigana.
	lineMargin, endMargin, rubyMargin = 0.2, 0.2, 0.08
	// leastPieces is the least number of pieces of ink that tell anything.
	leastPieces = 4
)

// band is a line as the ink tells it: its extent across the lines, of its furigana too, and along them.
type band struct {
	from, to float64
	pieces   []box
	ruby     *band
}

func (b band) width() float64 { return b.to - b.from }

// with is both as one: strokes of characters side by side leave blanks between.
func (b band) with(c band) band {
	return band{from: min(b.from, c.from), to: max(b.to, c.to), pieces: slices.Concat(b.pieces, c.pieces)}
}

// inkLines are lines as the ink tells them, in reading order, with their furigana.
type inkLines struct {
	lines    []raster.Quad
	vertical bool
	// sure says that the ink tells the direction by the blanks between the lines, or fits one direction alone.
	sure bool
}

// linesOfInk are the lines that the ink of some boxes tells; none where it does not tell.
func linesOfInk(img *image.NRGBA, boxes []box, members []int) inkLines {
	lines, size := memberBoxes(boxes, members)
	pieces, flat := inkAround(img, lines, size)
	if !flat || len(pieces) < leastPieces {
		return inkLines{}
	}
	columns, columnsFit := linesOf(pieces, size, true)
	rows, rowsFit := linesOf(pieces, size, false)
	switch {
	case columnsFit && rowsFit:
		c, r := meanBlank(columns), meanBlank(rows)
		if r > widerBlank*c || c <= widerBlank*r && len(rows) < len(columns) {
			return inkLines{quads(rows, false), false, r > widerBlank*c}
		}
		if c > widerBlank*r || len(columns) < len(rows) {
			return inkLines{quads(columns, true), true, c > widerBlank*r}
		}
	case columnsFit:
		return inkLines{quads(columns, true), true, true}
	case rowsFit:
		return inkLines{quads(rows, false), false, true}
	}
	return inkLines{}
}

// linesOf are the bands of ink that are lines, with their furigana, in reading order. They fit when all are about as
// wide as each other, and as lines of the size that was detected are.
func linesOf(pieces []box, size float64, vertical bool) (lines []band, fit bool) {
	all := bandsOf(pieces, vertical, 0)
	widths := make([]float64, len(all))
	for i, b := range all {
		widths[i] = b.width()
	}
	slices.Sort(widths)
	usual := widths[len(widths)*3/4]
	// What is read first comes first: columns from the right, and furigana, right of a column or above a row, before its line.
	if vertical {
		slices.Reverse(all)
	}
	narrow := func(b band) bool { return b.width() <= rubyWidth*usual }
	for i := 0; i < len(all); i++ {
		b := all[i]
		for narrow(b) && i+1 < len(all) && narrow(b.with(all[i+1])) {
			i++
			b = b.with(all[i])
		}
		if narrow(b) && i+1 < len(all) && !narrow(all[i+1]) {
			i++
			ruby := b
			b = all[i]
			b.ruby = &ruby
		}
		lines = append(lines, b)
	}
	return lines, usual <= greatestWidth*size && !slices.ContainsFunc(lines, func(b band) bool {
		return b.width() < leastWidth*usual || b.width() > greatestWidth*usual
	})
}

// bandsOf projects pieces onto the axis across the lines. Bands may overlap by what touches at most.
func bandsOf(pieces []box, vertical bool, touching float64) []band {
	pieces = slices.Clone(pieces)
	slices.SortStableFunc(pieces, func(a, b box) int {
		a0, _ := a.span(vertical)
		b0, _ := b.span(vertical)
		return cmp.Compare(a0, b0)
	})
	var all []band
	for _, p := range pieces {
		from, to := p.span(vertical)
		if last := len(all) - 1; last >= 0 && from <= all[last].to-touching {
			all[last].to = max(all[last].to, to)
			all[last].pieces = append(all[last].pieces, p)
			continue
		}
		all = append(all, band{from: from, to: to, pieces: []box{p}})
	}
	return all
}

// meanBlank is the mean blank between lines that follow each other, furigana counted as blank.
func meanBlank(lines []band) float64 {
	if len(lines) < 2 {
		return 0
	}
	var sum float64
	for i := 1; i < len(lines); i++ {
		sum += max(lines[i-1].from, lines[i].from) - min(lines[i-1].to, lines[i].to)
	}
	return sum / float64(len(lines)-1)
}

// quads are the outlines of lines, and of their furigana.
func quads(lines []band, vertical bool) []raster.Quad {
	var all []raster.Quad
	for _, l := range lines {
		all = append(all, l.quad(vertical))
		if l.ruby != nil {
			all = append(all, l.ruby.quad(vertical))
		}
	}
	return all
}

func (b band) quad(vertical bool) raster.Quad {
	ink := b.pieces[0]
	for _, p := range b.pieces {
		ink = ink.union(p)
	}
	across, ends, toRuby := lineMargin*b.width(), endMargin*b.width(), lineMargin*b.width()
	if b.ruby != nil {
		toRuby = rubyMargin * b.width()
	}
	if vertical {
		return box{max(0, ink.x0-across), max(0, ink.y0-ends), ink.x1 + toRuby, ink.y1 + ends}.quad()
	}
	return box{max(0, ink.x0-ends), max(0, ink.y0-toRuby), ink.x1 + ends, ink.y1 + across}.quad()
}
