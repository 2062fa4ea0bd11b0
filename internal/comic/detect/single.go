package detect

import (
	"image"

	"plait/internal/raster"
)

const (
	// Limits for a single character beside a line: how far it may reach out across the line, the widest gap within it, and its
	// least and greatest height. A smaller one belongs to the line itself.
	singleMargin = 0.8
	singleBreak  = 0.15
	singleLeast  = 0.8
	singleMost   = 2.2
)

// single finds a character that stands alone beyond the end of the line, with paper all around, and is too large to belong to the line.
func (s strip) single(img *image.NRGBA, around raster.RGB, foreign []raster.Quad) (raster.Quad, bool) {
	if s.width < 4 || s.height < 4 {
		return raster.Quad{}, false
	}
	size := float64(s.height)
	wide := s
	wide.origin = s.origin.Add(s.out.Times(s.inside)).Sub(s.across.Times(singleMargin * size))
	wide.height, wide.width, wide.inside = int(size*(1+2*singleMargin)), int(extentReach*size), 0
	pieces, limit := wide.ink(img, around, foreign)
	one := piece{from: wide.width, top: wide.height}
	above, below := int(singleMargin*size), int((1+singleMargin)*size)
	for _, p := range pieces {
		if p.barred && (p.bottom <= above || p.top >= below) {
			continue // ink of the line above or below
		}
		if one.to > 0 && float64(p.from-one.to) > singleBreak*size {
			break
		}
		if p.barred || p.to > limit || one.to == 0 && float64(p.from) > extentBreak*size {
			return raster.Quad{}, false
		}
		one = piece{from: min(one.from, p.from), to: max(one.to, p.to), top: min(one.top, p.top), bottom: max(one.bottom, p.bottom)}
	}
	height, width := float64(one.bottom-one.top), float64(one.to-one.from)
	if height < singleLeast*size || height > singleMost*size || width < 0.5*height || width > 1.5*height || one.from == 0 {
		return raster.Quad{}, false
	}
	margin := 0.1 * height
	at := func(u, v float64) raster.Point {
		return wide.origin.Add(wide.out.Times(u)).Add(wide.across.Times(v))
	}
	u0, u1 := float64(one.from)-margin, float64(one.to)+margin
	v0, v1 := float64(one.top)-margin, float64(one.bottom)+margin
	return upperLeftFirst(raster.Quad{at(u0, v0), at(u1, v0), at(u1, v1), at(u0, v1)}), true
}

// upperLeftFirst rotates the corners of a clockwise quad until the first is the one nearest to the upper left.
func upperLeftFirst(q raster.Quad) raster.Quad {
	first := 0
	for i, p := range q {
		if p[0]+p[1] < q[first][0]+q[first][1] {
			first = i
		}
	}
	return raster.Quad{q[first], q[(first+1)%4], q[(first+2)%4], q[(first+3)%4]}
}
