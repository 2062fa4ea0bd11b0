package inpaint

import (
	"context"
	"image"
	"math"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/edge"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/comic/mask"
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// A hole is filled with one color when this share of the pixels around it lies within ringLevels of their median,
	// and with a membrane when it lies within ringLevels of a plane.
	ringShare  = 0.98
	ringLevels = 8
	// ringWidth is how many pixels around a hole are asked.
	ringWidth = 3
)

// fill is what the page shows of a job, with its holes filled.
func (f Filler) fill(ctx context.Context, page *image.NRGBA, j job, holes *bitmap.Bitmap) (*crop.Crop, error) {
	c := j.cut(page, j.view, holes)
	painted := bitmap.New(j.view)
	if !j.onGround {
		wide := j.cut(page, j.holes.Rect.Inset(-edge.Margin).Intersect(page.Rect), holes)
		painted.Union(edge.Continue(wide))
		c.Copy(wide, painted)
	}
	smooth, art := fillFlatHoles(c, painted)
	if j.onGround {
		smooth.Union(art)
		art = bitmap.New(j.view)
	}
	if smooth.Count() > 0 {
		c.Mark(art, crop.Barred)
		membrane.Fill(c)
		c.Mark(smooth, crop.Known)
		c.Mark(art, crop.Hole)
	}
	if art.Count() == 0 {
		return c, ctx.Err()
	}
	return c, f.Art.Paint(ctx, c)
}

// cut is what the page shows within view; holes of other jobs are barred.
func (j job) cut(page *image.NRGBA, view image.Rectangle, holes *bitmap.Bitmap) *crop.Crop {
	c := crop.Cut(page, view)
	c.Mark(holes, crop.Barred)
	if j.apart != nil {
		c.Mark(j.apart, crop.Barred)
	}
	c.Mark(j.holes, crop.Hole)
	return c
}

// fillFlatHoles fills the holes whose surroundings agree on one color, and sorts the others by what surrounds them. What was
// painted by continuing edges is not asked.
func fillFlatHoles(c *crop.Crop, painted *bitmap.Bitmap) (smooth, art *bitmap.Bitmap) {
	smooth, art = bitmap.New(c.Rect), bitmap.New(c.Rect)
	for _, hole := range c.Set(crop.Hole).Components() {
		r := ringAround(c, hole, painted)
		color, agree := mask.Median(r.colors, ringLevels)
		to := art
		if agree < ringShare && r.isPlane() {
			to = smooth
		}
		for _, i := range hole.Pixels {
			if agree >= ringShare {
				c.Put(int(i), color)
			} else {
				to.Pix[i] = 1
			}
		}
	}
	return smooth, art
}

// ring is the known pixels around a hole.
type ring struct {
	colors []pipeline.RGB
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

// isPlane reports whether the colors of the ring change evenly from place to place.
func (r ring) isPlane() bool {
	if len(r.colors) == 0 {
		return true
	}
	off := 0
	planes := r.planes()
	for i, color := range r.colors {
		for k, p := range planes {
			if math.Abs(p.at(r.places[i])-float64(color[k])) > ringLevels {
				off++
				break
			}
		}
	}
	return float64(off) <= (1-ringShare)*float64(len(r.colors))
}

// plane is a channel as a linear function of the place.
type plane struct {
	middle        [2]float64
	mean          float64
	alongX, downY float64
}

func (p plane) at(q image.Point) float64 {
	return p.mean + p.alongX*(float64(q.X)-p.middle[0]) + p.downY*(float64(q.Y)-p.middle[1])
}

// planes are those of least squares.
func (r ring) planes() (out [3]plane) {
	n := float64(len(r.places))
	var mx, my, xx, xy, yy float64
	for _, p := range r.places {
		mx, my = mx+float64(p.X)/n, my+float64(p.Y)/n
	}
	for _, p := range r.places {
		x, y := float64(p.X)-mx, float64(p.Y)-my
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	}
	for k := range out {
		var mean, xv, yv float64
		for i, p := range r.places {
			v := float64(r.colors[i][k])
			mean += v / n
			xv, yv = xv+v*(float64(p.X)-mx), yv+v*(float64(p.Y)-my)
		}
		out[k] = plane{middle: [2]float64{mx, my}, mean: mean}
		if d := xx*yy - xy*xy; d > 1e-6 {
			out[k].alongX, out[k].downY = (xv*yy-yv*xy)/d, (yv*xx-xv*xy)/d
		}
	}
	return out
}
