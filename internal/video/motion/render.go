package motion

import (
	"context"
	"image"
	"image/draw"
	"math"
	"runtime"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/sync/errgroup"
)

// Render draws the frames of shots that follow each other over a picture, each of 3*width*height bytes of R, G, B from the top left, and
// passes them to write one by one; the frame is reused after write returns. It ends with the error of write or of the context.
func Render(ctx context.Context, picture image.Image, width, height, frames int, shots []Shot, write func(frame []byte) error) error {
	source := newPlane(picture, width, height, middleZoom(shots))
	frame := make([]byte, 3*width*height)
	for i := range frames {
		if err := ctx.Err(); err != nil {
			return err
		}
		t := 0.0
		if frames > 1 {
			t = float64(i) / float64(frames-1)
		}
		source.draw(frame, width, height, viewAt(shots, t))
		if err := write(frame); err != nil {
			return err
		}
	}
	return nil
}

// plane is a picture in floating point, with R, G and B of a pixel side by side.
type plane struct {
	width, height int
	samples       []float32
}

// newPlane scales the picture to the size at which a frame of the shot shows about one of its pixels in each of its own, so that neither
// blurs nor flickers.
func newPlane(picture image.Image, width, height int, zoom float64) *plane {
	w, h := int(math.Ceil(float64(width)*zoom)), int(math.Ceil(float64(height)*zoom))
	scaled := image.NewRGBA(image.Rect(0, 0, w, h))
	xdraw.CatmullRom.Scale(scaled, scaled.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	p := &plane{width: w, height: h, samples: make([]float32, 3*w*h)}
	for i := range w * h {
		for c := range 3 {
			p.samples[3*i+c] = float32(scaled.Pix[4*i+c])
		}
	}
	return p
}

// taps are the four neighbors of a place along one axis, and their weights.
type taps struct {
	at     [4]int
	weight [4]float32
}

// tap returns the taps of a place in pixels, by Catmull and Rom's cubic. Beyond the edge the last pixel repeats.
func tap(place float64, size int) (t taps) {
	first := math.Floor(place)
	f := place - first
	weights := [4]float64{
		((2-f)*f - 1) * f / 2, ((3*f-5)*f*f + 2) / 2, ((4-3*f)*f + 1) * f / 2, (f - 1) * f * f / 2,
	}
	for k := range t.at {
		t.at[k] = min(max(int(first)-1+k, 0), size-1)
		t.weight[k] = float32(weights[k])
	}
	return t
}

// draw draws one frame. All cores share its rows; each row is computed alone, so that their number changes nothing.
func (p *plane) draw(frame []byte, width, height int, v View) {
	workers := runtime.GOMAXPROCS(0)
	var group errgroup.Group
	for k := range workers {
		group.Go(func() error {
			for y := k * height / workers; y < (k+1)*height/workers; y++ {
				if row := frame[3*y*width : 3*(y+1)*width]; v.Parallax == 0 {
					p.flatRow(row, width, v, p.down(y, height, v))
				} else {
					p.bentRow(row, width, v, (float64(y)+0.5)/float64(height))
				}
			}
			return nil
		})
	}
	_ = group.Wait() // rows do not fail
}

// place returns where a place of the frame, from 0 to 1, is in the plane, in pixels.
func place(of, middle, zoom float64, size int) float64 {
	return (middle+(of-0.5)/zoom)*float64(size) - 0.5
}

func (p *plane) down(y, height int, v View) taps {
	return tap(place((float64(y)+0.5)/float64(height), v.Y, v.Zoom, p.height), p.height)
}

// flatRow mixes four rows of the plane, and then four pixels of the mixture for each of the frame.
func (p *plane) flatRow(row []byte, width int, v View, vertical taps) {
	mixed := make([]float32, 3*p.width)
	for k, at := range vertical.at {
		weight := vertical.weight[k]
		for i, sample := range p.samples[3*at*p.width : 3*(at+1)*p.width] {
			mixed[i] += weight * sample
		}
	}
	for x := range width {
		t := tap(place((float64(x)+0.5)/float64(width), v.X, v.Zoom, p.width), p.width)
		for c := range 3 {
			row[3*x+c] = level(t.weight[0]*mixed[3*t.at[0]+c] + t.weight[1]*mixed[3*t.at[1]+c] +
				t.weight[2]*mixed[3*t.at[2]+c] + t.weight[3]*mixed[3*t.at[3]+c])
		}
	}
}

// bentRow draws a row of a picture whose middle is nearer than its edges.
func (p *plane) bentRow(row []byte, width int, v View, down float64) {
	for x := range width {
		across := (float64(x) + 0.5) / float64(width)
		dx, dy := across-0.5, down-0.5
		// A dome: 1 in the middle, and 0 with a level slope at the edges.
		near := math.Cos(math.Pi*dx) * math.Cos(math.Pi*dy)
		near *= near
		shrink := 1 - v.Parallax*near*2
		h := tap(place(0.5+dx*shrink, v.X, v.Zoom, p.width), p.width)
		w := tap(place(0.5+dy*shrink, v.Y, v.Zoom, p.height), p.height)
		var sum [3]float32
		for j, at := range w.at {
			line := p.samples[3*at*p.width:]
			for i, column := range h.at {
				weight := w.weight[j] * h.weight[i]
				for c := range sum {
					sum[c] += weight * line[3*column+c]
				}
			}
		}
		for c, value := range sum {
			row[3*x+c] = level(value)
		}
	}
}

func level(v float32) byte { return byte(min(max(v, 0), 255) + 0.5) }
