package scan

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/document"
	"plait/internal/raster"
)

// Skew is the rotation of a picture that lay askew in its scanner.
type Skew struct {
	// center is the point around which the picture is rotated, in pixels, and angle is in radians, clockwise.
	centerX, centerY, angle float64
}

// skewOf is the median slope of lines, by their lengths.
func skewOf(quads []raster.Quad, size image.Point) Skew {
	s := Skew{centerX: float64(size.X) / 2, centerY: float64(size.Y) / 2}
	length := func(q raster.Quad) float64 { return q[1][0] - q[0][0] }
	slope := func(q raster.Quad) float64 { return (q[1][1] - q[0][1]) / length(q) }
	sorted := slices.Clone(quads)
	slices.SortStableFunc(sorted, func(a, b raster.Quad) int { return cmp.Compare(slope(a), slope(b)) })
	total, passed := 0.0, 0.0
	for _, q := range sorted {
		total += length(q)
	}
	for _, q := range sorted {
		if passed += length(q); 2*passed >= total {
			s.angle = math.Atan(slope(q))
			break
		}
	}
	return s
}

// Slope is that of the lines in the picture, downward.
func (s Skew) Slope() float64 { return math.Tan(s.angle) }

// straight returns where a point of the picture is when the picture is turned back.
func (s Skew) straight(x, y float64) (float64, float64) { return s.turned(x, y, -s.angle) }

// Shift returns how far a point of the straight page, in the user space of the page, is from its place in the picture.
func (s Skew) Shift(p document.Point, view document.View) (dx, dy float64) {
	x, y := view.Pixel(p)
	q := view.Point(s.turned(x, y, s.angle))
	return q.X - p.X, q.Y - p.Y
}

func (s Skew) turned(x, y, angle float64) (float64, float64) {
	sin, cos := math.Sincos(angle)
	dx, dy := x-s.centerX, y-s.centerY
	return s.centerX + dx*cos - dy*sin, s.centerY + dx*sin + dy*cos
}

// straighten turns lines back. They keep their lengths.
func (s Skew) straighten(lines []line) {
	for i := range lines {
		l := &lines[i]
		half := (l.x1 - l.x0) / 2
		x, y := s.straight(l.x0+half, l.baseline)
		l.x0, l.x1, l.baseline = x-half, x+half, y
	}
}
