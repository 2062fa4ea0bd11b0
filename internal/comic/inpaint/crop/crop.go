// Package crop holds the piece of a page that a fill works on: its colors, and what is sought, given or of no use in it.
package crop

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// State is what a pixel is to a fill.
type State uint8

// The states.
const (
	// Known pixels are given: fills meet them, and may copy them.
	Known State = iota
	// Hole pixels are sought.
	Hole
	// Barred pixels are neither: what lies behind a hole does not continue them.
	Barred
)

// Crop is a rectangle of a page, row by row.
type Crop struct {
	// Rect is in page coordinates.
	Rect image.Rectangle
	// Pix holds red, green and blue of each pixel.
	Pix []uint8
	// State holds one entry a pixel.
	State []State
}

// Cut copies r of the page, which holds it. Every pixel is Known.
func Cut(img *image.NRGBA, r image.Rectangle) *Crop {
	c := New(r)
	i := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := img.Pix[img.PixOffset(r.Min.X, y):]
		for x := range r.Dx() {
			copy(c.Pix[i:i+3], row[4*x:])
			i += 3
		}
	}
	return c
}

// New is a black crop, all Known.
func New(r image.Rectangle) *Crop {
	n := r.Dx() * r.Dy()
	return &Crop{Rect: r, Pix: make([]uint8, 3*n), State: make([]State, n)}
}

// Width is the number of columns.
func (c *Crop) Width() int { return c.Rect.Dx() }

// Height is the number of rows.
func (c *Crop) Height() int { return c.Rect.Dy() }

// Mark gives the pixels of the set the state s. Those outside the crop are ignored.
func (c *Crop) Mark(set *bitmap.Bitmap, s State) {
	r := c.Rect.Intersect(set.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := set.Offset(r.Min.X, y), c.offset(r.Min.X, y)
		for i := range r.Dx() {
			if set.Pix[from+i] != 0 {
				c.State[to+i] = s
			}
		}
	}
}

// Set is the set of pixels of state s.
func (c *Crop) Set(s State) *bitmap.Bitmap {
	b := bitmap.New(c.Rect)
	for i, t := range c.State {
		if t == s {
			b.Pix[i] = 1
		}
	}
	return b
}

// Color is that of pixel i.
func (c *Crop) Color(i int) raster.RGB { return raster.RGB(c.Pix[3*i : 3*i+3]) }

// Put gives pixel i a color, and makes it Known.
func (c *Crop) Put(i int, color raster.RGB) {
	copy(c.Pix[3*i:3*i+3], color[:])
	c.State[i] = Known
}

// Copy takes the pixels of the set, which lies within both crops, from o, where they are Known.
func (c *Crop) Copy(o *Crop, set *bitmap.Bitmap) {
	for i, p := range set.Pix {
		if p != 0 {
			at := set.Point(i)
			c.Put(c.offset(at.X, at.Y), o.Color(o.offset(at.X, at.Y)))
		}
	}
}

// Paste writes the pixels of the set, which lies within the crop, to the page. It leaves alpha as it is.
func (c *Crop) Paste(img *image.NRGBA, set *bitmap.Bitmap) {
	for i, p := range set.Pix {
		if p != 0 {
			at := set.Point(i)
			j := 3 * c.offset(at.X, at.Y)
			copy(img.Pix[img.PixOffset(at.X, at.Y):], c.Pix[j:j+3])
		}
	}
}

func (c *Crop) offset(x, y int) int { return (y-c.Rect.Min.Y)*c.Rect.Dx() + x - c.Rect.Min.X }
