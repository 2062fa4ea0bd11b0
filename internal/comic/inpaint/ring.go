package inpaint

import (
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// ring is the known pixels around a hole: their colors and their positions on the page.
type ring struct {
	colors []raster.RGB
	places []image.Point
}

func ringAround(c *crop.Crop, hole bitmap.Component, painted *bitmap.Bitmap) ring {
	shape := bitmap.New(hole.Bounds.Inset(-ringWidth).Intersect(c.Rect))
	at := func(i int) int { p := shape.Point(i); return (p.Y-c.Rect.Min.Y)*c.Width() + p.X - c.Rect.Min.X }
	for _, i := range hole.Pixels {
		shape.Add(c.Rect.Min.X+int(i)%c.Width(), c.Rect.Min.Y+int(i)/c.Width())
	}
	var r ring
	for i, p := range shape.Dilate(ringWidth).Pix {
		if k := at(i); p != 0 && c.State[k] == crop.Known && painted.Pix[k] == 0 {
			r.colors = append(r.colors, c.Color(k))
			r.places = append(r.places, shape.Point(i))
		}
	}
	return r
}

// surelyOf reports for each pixel of the hole whether it is far from the pixels of the ring that have another color, and a random walk
// from it hardly ever ends at them. This probability is the membrane with 1 at those pixels and 0 at the others.
func (r ring) surelyOf(color raster.RGB, c *crop.Crop, hole bitmap.Component) []bool {
	area := hole.Bounds.Inset(-ringWidth).Intersect(c.Rect)
	at := func(p image.Point) int { return (p.Y-area.Min.Y)*area.Dx() + p.X - area.Min.X }
	place := func(i int32) int { return at(c.Rect.Min.Add(image.Pt(int(i)%c.Width(), int(i)/c.Width()))) }
	state, probability := make([]crop.State, area.Dx()*area.Dy()), make([]float32, 3*area.Dx()*area.Dy())
	others := bitmap.New(area)
	for i := range state {
		state[i] = crop.Barred
	}
	for i, p := range r.places {
		state[at(p)] = crop.Known
		if raster.Difference(r.colors[i], color) > ringLevels {
			probability[3*at(p)] = 1
			others.Add(p.X, p.Y)
		}
	}
	for _, i := range hole.Pixels {
		state[place(i)] = crop.Hole
	}
	membrane.Solve(area.Dx(), area.Dy(), state, probability)
	far := others.Distance()
	sure := make([]bool, len(hole.Pixels))
	for k, i := range hole.Pixels {
		sure[k] = probability[3*place(i)] < surelyFlat && far[place(i)] > farFromOthers*farFromOthers
	}
	return sure
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
