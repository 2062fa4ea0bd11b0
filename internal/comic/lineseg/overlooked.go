package lineseg

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

const (
	// besideReach is how far beyond the lines of a cluster others are looked for, in their sizes: a whole line with its
	// blank and its furigana.
	besideReach = 1.5
	// leastOverlooked and greatestOverlooked are how wide the ink of an overlooked line is, in widths of the ink of the
	// widest usual line found: that of kana alone may be as narrow as furigana.
	leastOverlooked, greatestOverlooked = 0.5, 1.35
	// blankInLine is the widest blank within a line, in sizes.
	blankInLine = 0.8
	// touching is how much strokes of neighboring lines may share across them, in sizes.
	touching = 0.05
	// leastStroke is the length of the largest piece of ink of a line at least, in those widths: that of a dot of tone is less.
	leastStroke = 0.45
	// mostOverlooked is how many lines more than were found are overlooked at most. What looks like more is tone or art.
	mostOverlooked = 2
)

// Overlooked gives lines that the ink on the flat ground of others tells, beside them, as wide as them: the detector overlooks
// a short column of thin kana between two others, or cuts it badly. Told says which lines are surely text: beside others
// is nothing to look for, and their ink may be other lines. What lies in told lines, or in those tried before, is none.
func Overlooked(img *image.NRGBA, lines []raster.Quad, told []bool, tried []raster.Quad) (columns, rows []raster.Quad) {
	boxes := boundsOfAll(lines)
	taken := boundsOfAll(tried)
	for i, b := range boxes {
		if told[i] {
			taken = append(taken, b)
		}
	}
	for _, members := range clusters(boxes) {
		members = slices.DeleteFunc(members, func(i int) bool { return !told[i] })
		if len(members) == 0 {
			continue
		}
		found, vertical := beside(img, boxes, members, taken)
		taken = append(taken, boundsOfAll(found)...)
		if vertical {
			columns = append(columns, found...)
		} else {
			rows = append(rows, found...)
		}
	}
	return columns, rows
}

// beside are the lines overlooked next to some of the boxes, outside those taken, and whether they are columns.
func beside(img *image.NRGBA, boxes []box, members []int, taken []box) (found []raster.Quad, vertical bool) {
	lines, size := memberBoxes(boxes, members)
	var covered, free []box
	all := inkBeside(img, lines, size)
	for _, p := range all {
		if slices.ContainsFunc(taken, func(b box) bool { return b.holds(p) }) {
			covered = append(covered, p)
		} else {
			free = append(free, p)
		}
	}
	if len(free) == 0 || len(covered) == 0 {
		return nil, false
	}
	vertical = areColumns(lines, all, size)
	usual := usualInk(lines, covered, vertical)
	for _, b := range joined(bandsOf(free, vertical, touching*size), usual) {
		for _, run := range b.runs(vertical, blankInLine*size) {
			if run.isLine(usual) {
				found = append(found, run.outline(vertical, usual))
			}
		}
	}
	if len(found) > len(lines)+mostOverlooked {
		return nil, vertical
	}
	return found, vertical
}

// isLine reports whether a band may be a line whose ink is usually so wide.
func (b band) isLine(usual float64) bool {
	return b.width() >= leastOverlooked*usual && b.width() <= greatestOverlooked*usual &&
		slices.ContainsFunc(b.pieces, func(p box) bool { return max(p.x1-p.x0, p.y1-p.y0) >= leastStroke*usual })
}

// memberBoxes are the boxes of some members, and their median size.
func memberBoxes(boxes []box, members []int) (lines []box, size float64) {
	var sizes []float64
	for _, i := range members {
		lines, sizes = append(lines, boxes[i]), append(sizes, boxes[i].size())
	}
	slices.Sort(sizes)
	return lines, sizes[len(sizes)/2]
}

// areColumns reports whether lines are columns: most of them are, or, where none is long enough to tell, the blanks
// between columns of the ink are wider than those between rows.
func areColumns(lines, pieces []box, size float64) bool {
	columns := 0
	for _, l := range lines {
		if l.isColumn() {
			columns++
		}
		if l.isRow() {
			columns--
		}
	}
	if columns != 0 {
		return columns > 0
	}
	return meanBlank(bandsOf(pieces, true, touching*size)) > meanBlank(bandsOf(pieces, false, touching*size))
}

// usualInk is how wide the ink of lines is: of the upper quartile, for one of kana alone is narrower.
func usualInk(lines, ink []box, vertical bool) float64 {
	var widths []float64
	for _, l := range lines {
		var own []box
		for _, p := range ink {
			if l.holds(p) {
				own = append(own, p)
			}
		}
		widest := 0.0
		for _, b := range bandsOf(own, vertical, touching*l.size()) {
			widest = max(widest, b.width())
		}
		widths = append(widths, widest)
	}
	slices.Sort(widths)
	return widths[len(widths)*3/4]
}

// outline is that of a line, as wide as lines usually are: the model reads thin kana by the blank around it.
func (b band) outline(vertical bool, usual float64) raster.Quad {
	ink := b.pieces[0]
	for _, p := range b.pieces {
		ink = ink.union(p)
	}
	ends := endMargin * usual
	across := lineMargin*usual + max(0, usual-b.width())/2
	if vertical {
		return box{max(0, ink.x0-across), max(0, ink.y0-ends), ink.x1 + across, ink.y1 + ends}.quad()
	}
	return box{max(0, ink.x0-ends), max(0, ink.y0-across), ink.x1 + ends, ink.y1 + across}.quad()
}

// joined are bands with those that only together are as wide as a line: the strokes of い stand side by side.
func joined(bands []band, usual float64) []band {
	var all []band
	for _, b := range bands {
		last := len(all) - 1
		if last >= 0 && max(all[last].width(), b.width()) < leastOverlooked*usual && all[last].with(b).width() <= usual {
			all[last] = all[last].with(b)
			continue
		}
		all = append(all, b)
	}
	return all
}

// runs parts a band at blanks wider than one within a line.
func (b band) runs(vertical bool, blank float64) []band {
	pieces := slices.Clone(b.pieces)
	slices.SortStableFunc(pieces, func(p, q box) int {
		from, _ := p.span(!vertical)
		next, _ := q.span(!vertical)
		return cmp.Compare(from, next)
	})
	var all []band
	reached := math.Inf(-1)
	for _, p := range pieces {
		from, to := p.span(vertical)
		start, end := p.span(!vertical)
		one := band{from: from, to: to, pieces: []box{p}}
		if last := len(all) - 1; last >= 0 && start-reached <= blank {
			all[last] = all[last].with(one)
		} else {
			all = append(all, one)
		}
		reached = max(reached, end)
	}
	return all
}
