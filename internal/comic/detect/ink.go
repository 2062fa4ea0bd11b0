package detect

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

// piece is a connected component of ink in a strip. It spans u in from..to. A barred piece touches the border of the strip, so it may be
// part of an outline.
type piece struct {
	from, to int
	barred   bool
}

// ink returns the pieces of ink of the strip, ordered by where they begin, without ink that reaches in from above or below. limit is where
// another line or the edge of the page begins, or the width of the strip.
func (s strip) ink(img *image.NRGBA, around raster.RGB, foreign []raster.Quad) (pieces []piece, limit int) {
	m := newProbabilityMap(s.width, s.height)
	limit = s.width
	for v := range s.height {
		core := v > s.height/4 && v < s.height*3/4
		from := s.origin.Add(s.across.Times(float64(v) + 0.5))
		for u := range s.width {
			along := float64(u) + 0.5
			p := raster.Point{from[0] + along*s.out[0], from[1] + along*s.out[1]}
			x, y := int(math.Floor(p[0])), int(math.Floor(p[1]))
			if x < 0 || y < 0 || x >= img.Rect.Dx() || y >= img.Rect.Dy() {
				if core {
					limit = min(limit, u)
				}
				continue
			}
			if core && u < limit && float64(u) > s.inside && inAny(p, foreign) {
				limit = min(limit, u)
			}
			if raster.Distinct(raster.At(img, x, y), around) {
				m.values[v*s.width+u] = 255
			}
		}
	}
	for _, c := range m.components(1) {
		from, top, to, bottom := c.Bounds.Min.X, c.Bounds.Min.Y, c.Bounds.Max.X, c.Bounds.Max.Y
		intrusion := int(extentIntrusion * float64(s.height))
		if top == 0 && bottom <= intrusion || bottom == s.height && top >= s.height-intrusion {
			continue
		}
		pieces = append(pieces, piece{from, to, top == 0 || bottom == s.height || to == s.width})
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.from, b.from) })
	return pieces, limit
}

// inAny reports whether a point is inside any of the quads.
func inAny(p raster.Point, quads []raster.Quad) bool {
	return slices.ContainsFunc(quads, func(q raster.Quad) bool { return q.Contains(p) })
}

// paperColor is the most frequent color inside q, as the middle of 16 steps: for white paper a little less than white, so that the pale
// rims of glyphs are paper.
func paperColor(img *image.NRGBA, q raster.Quad) raster.RGB {
	var h raster.Histogram
	for c := range q.Colors(img) {
		h.Add(c)
	}
	color, _ := h.Mode()
	for k, v := range color {
		color[k] = v&^15 | 8
	}
	return color
}
