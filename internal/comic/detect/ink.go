package detect

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster"
)

const (
	// inkDistance is the distance of sRGB colors from which they are seen as two.
	inkDistance = 60
)

// piece is connected ink in a strip: u from..to.
type piece struct {
	from, to, top, bottom int
	barred                bool
}

// ink are the pieces of ink of the strip by their beginnings, without what hangs in from above or below, and where another
// line begins (or the width).
func (s strip) ink(img *image.NRGBA, around [3]uint8, foreign []raster.Quad) (pieces []piece, limit int) {
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
			if differ(colorAt(img, x, y), around) {
				m.values[v*s.width+u] = 255
			}
		}
	}
	for _, runs := range m.components(1) {
		p := piece{from: s.width, top: runs[0].y, bottom: runs[len(runs)-1].y + 1}
		for _, r := range runs {
			p.from, p.to = min(p.from, r.x0), max(p.to, r.x1)
		}
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

// paperColor is the most frequent color inside q, and the share of pixels near it.
func paperColor(img *image.NRGBA, q raster.Quad) (color [3]uint8, share float64) {
	var counts [1 << 12]int // of colors of four bits a channel
	var all [][3]uint8
	x0, y0, x1, y1 := q.Bounds()
	only := []raster.Quad{q}
	for y := max(0, int(y0)); y < min(img.Rect.Dy(), int(y1)); y++ {
		for x := max(0, int(x0)); x < min(img.Rect.Dx(), int(x1)); x++ {
			if !inAny(vector{float64(x) + 0.5, float64(y) + 0.5}, only) {
				continue
			}
			c := colorAt(img, x, y)
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
		if !differ(c, color) {
			near++
		}
	}
	return color, float64(near) / float64(len(all))
}

// colorAt is the color at x, y from the upper left corner, laid over white.
func colorAt(img *image.NRGBA, x, y int) [3]uint8 {
	p := img.Pix[y*img.Stride+4*x : y*img.Stride+4*x+4]
	var c [3]uint8
	for k := range 3 {
		c[k] = uint8((int(p[k])*int(p[3]) + 255*(255-int(p[3]))) / 255)
	}
	return c
}

// differ reports whether two colors are seen as two.
func differ(a, b [3]uint8) bool {
	sum := 0
	for k := range 3 {
		d := int(a[k]) - int(b[k])
		sum += d * d
	}
	return sum >= inkDistance*inkDistance
}
