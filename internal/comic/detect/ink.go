package detect

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

// piece is a connected component of ink in a strip. It spans u in from..to and v in top..bottom. A barred piece touches the border of the
// strip, so it may be part of an outline.
type piece struct {
	from, to, top, bottom int
	barred                bool
}

// ink returns the pieces of ink of the strip, ordered by where they begin, without ink that reaches in from above or below. limit is where
// another line or the edge of the page begins, or the width of the strip.
func (s strip) ink(img *image.NRGBA, around raster.RGB, foreign []raster.Quad) (pieces []piece, limit int) {
	m := newProbabilityMap(s.width, s.height)
	limit = s.width
	for v := range s.height {
		for u := range s.width {
			p := s.origin.add(s.out.times(float64(u) + 0.5)).add(s.across.times(float64(v) + 0.5))
			x, y := int(math.Floor(p.x)), int(math.Floor(p.y))
			core := v > s.height/4 && v < s.height*3/4
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
		p := piece{from: c.Bounds.Min.X, to: c.Bounds.Max.X, top: c.Bounds.Min.Y, bottom: c.Bounds.Max.Y}
		above, below := p.top == 0, p.bottom == s.height
		intrusion := int(extentIntrusion * float64(s.height))
		if above && p.bottom <= intrusion || below && p.top >= s.height-intrusion {
			continue
		}
		p.barred = above || below || p.to == s.width
		pieces = append(pieces, p)
	}
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.from, b.from) })
	return pieces, limit
}

func inAny(p vector, quads []raster.Quad) bool {
	for _, q := range quads {
		inside := true
		for i, a := range q {
			b := q[(i+1)%4]
			if (vector{b[0] - a[0], b[1] - a[1]}).cross(p.sub(vector{a[0], a[1]})) < 0 {
				inside = false
				break
			}
		}
		if inside {
			return true
		}
	}
	return false
}

// paperColor is the most frequent color inside q, and the share of pixels close to it.
func paperColor(img *image.NRGBA, q raster.Quad) (color raster.RGB, share float64) {
	var counts [1 << 12]int // by color, with four bits a channel
	var all []raster.RGB
	x0, y0, x1, y1 := q.Bounds()
	only := []raster.Quad{q}
	for y := max(0, int(y0)); y < min(img.Rect.Dy(), int(y1)); y++ {
		for x := max(0, int(x0)); x < min(img.Rect.Dx(), int(x1)); x++ {
			if !inAny(vector{float64(x) + 0.5, float64(y) + 0.5}, only) {
				continue
			}
			c := raster.At(img, x, y)
			all = append(all, c)
			counts[int(c[0]>>4)<<8|int(c[1]>>4)<<4|int(c[2]>>4)]++
		}
	}
	if len(all) == 0 {
		return color, 0
	}
	best := 0
	for bin, n := range counts {
		if n > counts[best] {
			best = bin
		}
	}
	for k := range 3 {
		color[k] = uint8(best>>(8-4*k)&15)<<4 | 8
	}
	near := 0
	for _, c := range all {
		if !raster.Distinct(c, color) {
			near++
		}
	}
	return color, float64(near) / float64(len(all))
}
