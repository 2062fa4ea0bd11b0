package raster

import (
	"image"
	"math"
)

// Plane is a color that changes evenly: each channel is a linear function of the position.
type Plane struct {
	x, y float64 // the point where the channels have their means
	mean [3]float64
	// alongX and downY are the changes of each channel per pixel, in levels.
	alongX, downY [3]float64
}

// FitPlane fits a plane by least squares to colors at places. If the places are on one line, or there are none, the plane has one color.
func FitPlane(places []image.Point, colors []RGB) Plane {
	var p Plane
	n := float64(max(len(places), 1))
	for i, at := range places {
		p.x, p.y = p.x+float64(at.X)/n, p.y+float64(at.Y)/n
		for k, v := range colors[i] {
			p.mean[k] += float64(v) / n
		}
	}
	var xx, xy, yy float64
	var xv, yv [3]float64
	for i, at := range places {
		x, y := float64(at.X)-p.x, float64(at.Y)-p.y
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
		for k, v := range colors[i] {
			xv[k], yv[k] = xv[k]+float64(v)*x, yv[k]+float64(v)*y
		}
	}
	if d := xx*yy - xy*xy; d > 1e-6 {
		for k := range p.mean {
			p.alongX[k], p.downY[k] = (xv[k]*yy-yv[k]*xy)/d, (yv[k]*xx-xv[k]*xy)/d
		}
	}
	return p
}

// Off returns the greatest difference, in levels, between a color and the plane at a place.
func (p Plane) Off(at image.Point, c RGB) float64 {
	most := 0.0
	for k, v := range c {
		level := p.mean[k] + p.alongX[k]*(float64(at.X)-p.x) + p.downY[k]*(float64(at.Y)-p.y)
		most = max(most, math.Abs(float64(v)-min(max(level, 0), math.MaxUint8)))
	}
	return most
}

// Slope returns the greatest difference between the means of the plane over two halves of a box, in levels.
func (p Plane) Slope(box image.Rectangle) float64 {
	most := 0.0
	for k := range p.mean {
		most = max(most, math.Abs(p.alongX[k])*float64(box.Dx())/2, math.Abs(p.downY[k])*float64(box.Dy())/2)
	}
	return most
}
