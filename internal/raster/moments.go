package raster

import (
	"image"
	"math"
)

// Moments are the moments of a set of pixels, up to the second.
type Moments struct{ n, x, y, xx, xy, yy float64 }

// Add adds a pixel to the set.
func (m *Moments) Add(at image.Point) {
	x, y := float64(at.X), float64(at.Y)
	m.n, m.x, m.y, m.xx, m.xy, m.yy = m.n+1, m.x+x, m.y+y, m.xx+x*x, m.xy+x*y, m.yy+y*y
}

// Rectangle returns the middle of the rectangle with the same moments, the direction of its long sides in radians, -π/2 to π/2, and the lengths of
// its sides. The set has at least one pixel.
func (m Moments) Rectangle() (middle Point, along, long, across float64) {
	x, y := m.x/m.n, m.y/m.n
	xx, xy, yy := m.xx/m.n-x*x, m.xy/m.n-x*y, m.yy/m.n-y*y
	mean, spread := (xx+yy)/2, math.Hypot((xx-yy)/2, xy)
	return Point{x, y}, math.Atan2(2*xy, xx-yy) / 2, math.Sqrt(12 * max(0, mean+spread)), math.Sqrt(12 * max(0, mean-spread))
}
