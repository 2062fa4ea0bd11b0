package textarea

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster/bitmap"
)

// hullArea returns the area of the convex hull of a set, in pixels.
func hullArea(b *bitmap.Bitmap) float64 {
	var points []image.Point
	w := b.Rect.Dx()
	for y := range b.Rect.Dy() {
		row := b.Pix[y*w : (y+1)*w]
		first := slices.Index(row, 1)
		if first < 0 {
			continue
		}
		last := w - 1
		for row[last] == 0 {
			last--
		}
		points = append(points, image.Pt(first, y), image.Pt(first, y+1), image.Pt(last+1, y), image.Pt(last+1, y+1))
	}
	hull := convexHull(points)
	area := 0
	for i, p := range hull {
		q := hull[(i+1)%len(hull)]
		area += p.X*q.Y - q.X*p.Y
	}
	return math.Abs(float64(area)) / 2
}

// convexHull computes the convex hull with Andrew's monotone chain (1979).
func convexHull(points []image.Point) []image.Point {
	slices.SortFunc(points, func(a, b image.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	var hull []image.Point
	for range 2 {
		from := len(hull)
		for _, p := range points {
			for len(hull) >= from+2 && turn(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, p)
		}
		hull = hull[:len(hull)-1]
		slices.Reverse(points)
	}
	return hull
}

func turn(a, b, c image.Point) int { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }
