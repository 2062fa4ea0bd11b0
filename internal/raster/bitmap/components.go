package bitmap

import (
	"bytes"
	"image"

	"plait/internal/raster/components"
)

// Component is a connected component of a bitmap.
type Component struct {
	// Pixels are indices in Pix of the bitmap, ascending.
	Pixels []int32
	Bounds image.Rectangle
}

// Components returns the 8-connected components of b, ordered by their first pixels.
func (b *Bitmap) Components() []Component {
	found := components.OfRuns(b.runs())
	out, area := make([]Component, len(found)), 0
	for _, f := range found {
		area += f.Area
	}
	pixels, w := make([]int32, 0, area), b.Rect.Dx()
	for k, f := range found {
		from := len(pixels)
		for _, r := range f.Runs {
			for x := r.X0; x < r.X1; x++ {
				pixels = append(pixels, int32(r.Y*w+x))
			}
		}
		out[k] = Component{pixels[from:len(pixels):len(pixels)], f.Bounds.Add(b.Rect.Min)}
	}
	return out
}

// Flood returns the 8-connected components of b that contain a pixel of seed.
func (b *Bitmap) Flood(seed *Bitmap) *Bitmap {
	out := New(b.Rect)
	for _, f := range components.OfRuns(b.runs()) {
		if !seed.meets(f.Runs, b.Rect.Min) {
			continue
		}
		for _, r := range f.Runs {
			row := out.Pix[r.Y*b.Rect.Dx():]
			for x := r.X0; x < r.X1; x++ {
				row[x] = 1
			}
		}
	}
	return out
}

// meets reports whether any of the runs, whose coordinates are relative to corner, contains a pixel of b.
func (b *Bitmap) meets(runs []components.Run, corner image.Point) bool {
	for _, r := range runs {
		y, x0, x1 := r.Y+corner.Y, max(r.X0+corner.X, b.Rect.Min.X), min(r.X1+corner.X, b.Rect.Max.X)
		if y < b.Rect.Min.Y || y >= b.Rect.Max.Y || x0 >= x1 {
			continue
		}
		if i := b.Offset(x0, y); bytes.IndexByte(b.Pix[i:i+x1-x0], 1) >= 0 {
			return true
		}
	}
	return false
}

// runs returns the runs of pixels in b, with coordinates relative to Rect.Min.
func (b *Bitmap) runs() []components.Run {
	var runs []components.Run
	w := b.Rect.Dx()
	for y := range b.Rect.Dy() {
		row := b.Pix[y*w : (y+1)*w]
		for x := 0; ; {
			skip := bytes.IndexByte(row[x:], 1)
			if skip < 0 {
				break
			}
			start, length := x+skip, bytes.IndexByte(row[x+skip:], 0)
			if length < 0 {
				length = w - start
			}
			runs = append(runs, components.Run{Y: y, X0: start, X1: start + length})
			x = start + length
		}
	}
	return runs
}

// In returns how many pixels of the component of a bitmap are in set, which has the same Rect.
func (c Component) In(set *Bitmap) int {
	n := 0
	for _, i := range c.Pixels {
		n += int(set.Pix[i])
	}
	return n
}

// Put adds the component of a bitmap with the same Rect to the set.
func (b *Bitmap) Put(c Component) {
	for _, i := range c.Pixels {
		b.Pix[i] = 1
	}
}

// Keep returns the components of b for which keep returns true.
func (b *Bitmap) Keep(keep func(Component) bool) *Bitmap {
	out := New(b.Rect)
	for _, c := range b.Components() {
		if keep(c) {
			out.Put(c)
		}
	}
	return out
}

// Component returns a bitmap of a component of b, over its bounds.
func (b *Bitmap) Component(c Component) *Bitmap {
	out := New(c.Bounds)
	for _, i := range c.Pixels {
		at := b.Point(int(i))
		out.Pix[out.Offset(at.X, at.Y)] = 1
	}
	return out
}
