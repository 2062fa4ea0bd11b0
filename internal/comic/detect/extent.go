package detect

import (
	"image"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
)

// Limits of the extension of lines, in heights of the line (widths, for a column).
const (
	// extentReach is how far beyond its end a line may be extended: an ellipsis of two characters.
	extentReach = 2.5
	// extentBreak is the widest gap between two pieces of ink of one line: the gap between a glyph and an ellipsis.
	extentBreak = 0.7
	// extentMargin is the blank margin beyond the last ink, as wide as the detector leaves it.
	extentMargin = 0.25
	// extentIntrusion is how far ink of the line above or below may reach into the strip and still be ignored.
	extentIntrusion = 0.3
	// extentPieces is the greatest number of pieces of ink beyond the end: an ellipsis of two characters and a pair of marks have ten. More
	// are the dots or strokes of a texture.
	extentPieces = 12
)

// extend returns lines with their ends moved outwards over ink that the model missed: it gives a low probability to a leading or trailing
// ellipsis and to a small last sign. The search follows ink over the blank paper around the line, but never crosses an outline or enters
// another line.
func extend(img *image.NRGBA, lines []Line) (extended []Line) {
	before := Quads(lines)
	for i, l := range lines {
		around, others := paperColor(img, l.Quad), slices.Concat(before[:i], before[i+1:])
		for _, end := range [2]bool{false, true} {
			s := newStrip(before[i], end)
			l.Quad = onPage(s.moved(l.Quad, s.growth(img, around, s.near(others))), img.Rect)
		}
		extended = append(extended, l)
	}
	return extended
}

// onPage moves corners beyond the page onto its edge.
func onPage(q raster.Quad, page image.Rectangle) raster.Quad {
	for k, p := range q {
		q[k] = raster.Point{min(max(p[0], 0), float64(page.Dx())), min(max(p[1], 0), float64(page.Dy()))}
	}
	return q
}

// strip is the area at one end of a line, in pixels: u runs from inside the line outwards, v across it.
type strip struct {
	origin, out, across raster.Point
	width, height       int
	// inside is the u at which the line ends: the search begins inside the line, so that it sees where the last glyph ends.
	inside float64
	// corners are the two corners of the quad at this end.
	corners [2]int
}

// newStrip makes the strip at the end of the line q, or at its beginning.
func newStrip(q raster.Quad, end bool) strip {
	a, b := 1, 2 // the end of a horizontal line
	if comic.IsColumn(q) {
		a, b = 2, 3
	}
	if !end {
		a, b = (a+2)%4, (b+2)%4
	}
	length, side := q[a].Sub(q[(a+3)%4]), q[b].Sub(q[a])
	s := strip{corners: [2]int{a, b}}
	if length.Length() == 0 || side.Length() == 0 {
		return s
	}
	s.out, s.across = length.Times(1/length.Length()), side.Times(1/side.Length())
	s.height = int(side.Length())
	s.inside = min(side.Length(), length.Length()/2)
	s.width = int(s.inside + extentReach*side.Length())
	s.origin = q[a].Sub(s.out.Times(s.inside))
	return s
}

func (s strip) moved(q raster.Quad, by float64) raster.Quad {
	for _, c := range s.corners {
		q[c] = q[c].Add(s.out.Times(by))
	}
	return q
}

// near returns the quads whose bounds meet those of the strip: a page of credits has a hundred lines, and each pixel is looked for in all.
func (s strip) near(quads []raster.Quad) (found []raster.Quad) {
	right, down := s.out.Times(float64(s.width)), s.across.Times(float64(s.height))
	x0, y0, x1, y1 := raster.Quad{s.origin, s.origin.Add(right), s.origin.Add(right).Add(down), s.origin.Add(down)}.Bounds()
	for _, q := range quads {
		if a0, b0, a1, b1 := q.Bounds(); a0 <= x1 && a1 >= x0 && b0 <= y1 && b1 >= y0 {
			found = append(found, q)
		}
	}
	return found
}

// growth is how far the line continues beyond its end, in pixels.
func (s strip) growth(img *image.NRGBA, around raster.RGB, foreign []raster.Quad) float64 {
	if s.width < 4 || s.height < 4 {
		return 0
	}
	pieces, limit := s.ink(img, around, foreign)
	size := float64(s.height)
	reached, beyond, grown := 0.0, 0, false
	for _, p := range pieces {
		if float64(p.from) < s.inside-size*extentMargin {
			reached = max(reached, float64(p.to))
		}
	}
	if reached == 0 {
		return 0
	}
	for _, p := range pieces {
		if float64(p.from) >= s.inside {
			beyond++
		}
		if float64(p.to) <= reached {
			continue
		}
		if p.from >= limit || float64(p.from)-reached > extentBreak*size || p.barred {
			break
		}
		reached, grown = float64(p.to), true
	}
	if !grown || beyond > extentPieces {
		return 0
	}
	return max(0, min(reached+extentMargin*size, float64(limit))-s.inside)
}
