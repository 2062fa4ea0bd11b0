package detect

import (
	"image"

	"plait/internal/raster"
)

const (
	// divideGap is the least blank, in heights of the ink of the line (widths, of a column), that parts two lines which the model
	// joined across neighboring bubbles. A blank within a line, after a full stop of Japanese, is 0.75 at most.
	divideGap = 0.85
	// divideLeast is the least length of each part, in heights of the line: an ellipsis is no line.
	divideLeast = 2.5
	// divideMargin is what a part keeps of the blank, in the same unit, as the model leaves it.
	divideMargin = 0.15
)

// divided parts lines on flat color at wide blanks. The parts of a line follow each other in its place.
func divided(img *image.NRGBA, lines []Line) []Line {
	parts := make([]Line, 0, len(lines))
	for _, l := range lines {
		if length(l.Quad) < 2*divideLeast*thickness(l.Quad) {
			parts = append(parts, l)
			continue
		}
		around, flat := paperColor(img, l.Quad)
		if flat < extentFlat {
			parts = append(parts, l)
			continue
		}
		for _, span := range inked(img, l.Quad, around) {
			parts = append(parts, Line{Quad: part(l.Quad, span[0], span[1]), Score: l.Score})
		}
	}
	return parts
}

// inked are the pieces of a line, from and to as shares of its length, between its wide blanks: one piece, the whole, where
// it has none.
func inked(img *image.NRGBA, q raster.Quad, around raster.RGB) [][2]float64 {
	columns, height := inkAlong(img, q, around)
	n, size := len(columns), thickness(q)
	var spans [][2]float64
	from, last := 0.0, -1 // where the piece begins, and its last ink
	for u, ink := range columns {
		if !ink {
			continue
		}
		enough := float64(last)-from >= divideLeast*size && float64(n-u) >= divideLeast*size
		if last >= 0 && float64(u-last-1) >= divideGap*float64(height) && enough {
			spans = append(spans, [2]float64{from / float64(n), (float64(last) + 1 + divideMargin*size) / float64(n)})
			from = float64(u) - divideMargin*size
		}
		last = u
	}
	return append(spans, [2]float64{from / float64(n), 1})
}

// inkAlong tells for each pixel along a line whether the cut across it there meets another color than around, without the
// outermost fifth on both sides, where neighboring lines reach in; and how many pixels across have such ink.
func inkAlong(img *image.NRGBA, q raster.Quad, around raster.RGB) (columns []bool, height int) {
	columns = make([]bool, int(length(q)))
	rows := make([]bool, int(thickness(q)))
	for u := range columns {
		a, b := cutAcross(q, (float64(u)+0.5)/float64(len(columns)))
		for v := range rows {
			p := a.add(b.sub(a).times((float64(v) + 0.5) / float64(len(rows))))
			x, y := int(p.x), int(p.y)
			if x < 0 || y < 0 || x >= img.Rect.Dx() || y >= img.Rect.Dy() || !raster.Distinct(raster.At(img, x, y), around) {
				continue
			}
			rows[v] = true
			columns[u] = columns[u] || v >= len(rows)/5 && v < len(rows)-len(rows)/5
		}
	}
	for _, ink := range rows {
		if ink {
			height++
		}
	}
	return columns, height
}

// cutAcross are the points at a share of the length of the long sides: upper and lower, or left and right of a column.
func cutAcross(q raster.Quad, at float64) (a, b vector) {
	corner := func(i int) vector { return vector{q[i][0], q[i][1]} }
	if upper, left := sides(q); upper >= left {
		return corner(0).add(corner(1).sub(corner(0)).times(at)), corner(3).add(corner(2).sub(corner(3)).times(at))
	}
	return corner(0).add(corner(3).sub(corner(0)).times(at)), corner(1).add(corner(2).sub(corner(1)).times(at))
}

// part is q between two shares of its length.
func part(q raster.Quad, from, to float64) raster.Quad {
	a, b := cutAcross(q, from)
	c, d := cutAcross(q, to)
	point := func(v vector) raster.Point { return raster.Point{v.x, v.y} }
	if upper, left := sides(q); upper >= left {
		return raster.Quad{point(a), point(c), point(d), point(b)}
	}
	return raster.Quad{point(a), point(b), point(d), point(c)}
}
