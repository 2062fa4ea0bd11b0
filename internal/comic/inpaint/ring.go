package inpaint

import (
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// ring is the known pixels around a hole: their colors and their positions on the page.
type ring struct {
	colors []raster.RGB
	places []image.Point
}

func ringAround(c *crop.Crop, hole bitmap.Component) ring {
	shape := bitmap.New(hole.Bounds.Inset(-ringWidth).Intersect(c.Rect))
	at := func(i int) int { p := shape.Point(i); return (p.Y-c.Rect.Min.Y)*c.Width() + p.X - c.Rect.Min.X }
	for _, i := range hole.Pixels {
		shape.Add(c.Rect.Min.X+int(i)%c.Width(), c.Rect.Min.Y+int(i)/c.Width())
	}
	var r ring
	for i, p := range shape.Dilate(ringWidth).Pix {
		if k := at(i); p != 0 && c.State[k] == crop.Known {
			r.colors = append(r.colors, c.Color(k))
			r.places = append(r.places, shape.Point(i))
		}
	}
	return r
}

// isPlane reports whether the colors of the ring change evenly.
func (r ring) isPlane() bool {
	plane, off := raster.FitPlane(r.places, r.colors), 0
	for i, color := range r.colors {
		if plane.Off(r.places[i], color) > ringLevels {
			off++
		}
	}
	return float64(off) <= (1-ringShare)*float64(len(r.colors))
}
