package detect

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
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
func extend(img *image.NRGBA, lines []Line) []Line {
	extended := slices.Clone(lines)
	for i, l := range lines {
		around, others := paperColor(img, l.Quad), slices.Concat(lines[:i], lines[i+1:])
		corner := 0
		if comic.IsColumn(l.Quad) {
			corner = 1
		}
		q := &extended[i].Quad
		for _, begin := range [2]int{corner, (corner + 2) % 4} {
			s, found := newStrip(l.Quad.From(begin))
			if !found {
				continue
			}
			by := s.out.Times(s.growth(s.ink(img, around), s.limit(others)))
			for _, k := range [2]int{(begin + 1) % 4, (begin + 2) % 4} {
				q[k] = q[k].Add(by)
			}
		}
		*q = onPage(*q, img.Rect)
	}
	return extended
}

// onPage moves corners beyond the page onto its edge.
func onPage(q raster.Quad, page image.Rectangle) raster.Quad {
	return q.Mapped(func(p raster.Point) raster.Point {
		return raster.Point{min(max(p[0], 0), float64(page.Dx())), min(max(p[1], 0), float64(page.Dy()))}
	})
}

// strip is the area at one end of a line, in pixels: u runs from inside the line outwards, v across it.
type strip struct {
	origin, out, across raster.Point
	width, height       int
	// inside is the u at which the line ends: the search begins inside the line, so that it sees where the last glyph ends.
	inside float64
}

// newStrip makes the strip beyond the second and the third corner of a line, unless it is too small for ink.
func newStrip(q raster.Quad) (s strip, found bool) {
	length, size := q.Sides()
	if min(length, size) < 4 {
		return s, false
	}
	s.inside = min(size, length/2)
	s.width, s.height = int(s.inside+extentReach*size), int(size)
	s.out, s.across = q[1].Sub(q[0]).Times(1/length), q[3].Sub(q[0]).Times(1/size)
	s.origin = q[1].Sub(s.out.Times(s.inside))
	return s, true
}

// limit is the u at which another line begins beside the middle of the strip, or the width of the strip.
func (s strip) limit(others []Line) float64 {
	limit := float64(s.width)
	for _, l := range others {
		local := l.Quad.In(s.origin, s.out, s.across)
		for _, v := range [3]float64{0.25, 0.5, 0.75} {
			if from, to := local.Crossing(v * float64(s.height)); to > s.inside {
				limit = min(limit, max(math.Ceil(from-0.5), math.Floor(s.inside)+1))
			}
		}
	}
	return limit
}

// ink returns the boxes of the pieces of ink in the strip, ordered by where they begin, without ink that reaches in from above or below.
func (s strip) ink(img *image.NRGBA, around raster.RGB) (pieces []image.Rectangle) {
	inked := bitmap.Where(image.Rect(0, 0, s.width, s.height), func(at image.Point) bool {
		u, v := float64(at.X)+0.5, float64(at.Y)+0.5
		on := image.Pt(int(math.Floor(s.origin[0]+u*s.out[0]+v*s.across[0])), int(math.Floor(s.origin[1]+u*s.out[1]+v*s.across[1])))
		return on.In(img.Rect) && raster.Distinct(raster.At(img, on.X, on.Y), around)
	})
	intrusion := int(extentIntrusion * float64(s.height))
	for _, c := range inked.Components() {
		if top, bottom := c.Bounds.Min.Y, c.Bounds.Max.Y; top == 0 && bottom <= intrusion || bottom == s.height && top >= s.height-intrusion {
			continue
		}
		pieces = append(pieces, c.Bounds)
	}
	slices.SortStableFunc(pieces, func(a, b image.Rectangle) int { return cmp.Compare(a.Min.X, b.Min.X) })
	return pieces
}

// growth is how far the line continues beyond its end over pieces of ink, up to a limit, in pixels. A piece that touches the border of the
// strip may be part of an outline.
func (s strip) growth(pieces []image.Rectangle, limit float64) float64 {
	size := float64(s.height)
	reached, beyond, grown := 0.0, 0, false
	for _, p := range pieces {
		from, to := float64(p.Min.X), float64(p.Max.X)
		if from >= s.inside {
			beyond++
		}
		if from < s.inside-size*extentMargin { // a glyph of the line
			reached = max(reached, to)
		} else if to > reached {
			if reached == 0 || from >= limit || from-reached > extentBreak*size || p.Min.Y == 0 || p.Max.Y == s.height || p.Max.X == s.width {
				break
			}
			reached, grown = to, true
		}
	}
	if !grown || beyond > extentPieces {
		return 0
	}
	return max(0, min(reached+extentMargin*size, limit)-s.inside)
}

// paperColor is the most frequent color inside q, as the middle of 16 steps: for white paper a little less than white, so that the pale
// rims of glyphs are paper.
func paperColor(img *image.NRGBA, q raster.Quad) raster.RGB {
	var h raster.Histogram
	h.AddAll(q.Colors(img))
	color, _ := h.Mode()
	for k, v := range color {
		color[k] = v&^15 | 8
	}
	return color
}
