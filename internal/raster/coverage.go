package raster

import (
	"image"

	"golang.org/x/image/vector"
)

// Coverage returns how much of each pixel of a box is inside of polygons. Where they overlap, opposite windings cancel.
func Coverage(box image.Rectangle, polygons [][]Point) *image.Alpha {
	cover := image.NewAlpha(box)
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for _, polygon := range polygons {
		for i, p := range polygon {
			x, y := float32(p[0]-float64(box.Min.X)), float32(p[1]-float64(box.Min.Y))
			if i == 0 {
				r.MoveTo(x, y)
			} else {
				r.LineTo(x, y)
			}
		}
		r.ClosePath()
	}
	r.Draw(cover, box, image.Opaque, image.Point{})
	return cover
}
