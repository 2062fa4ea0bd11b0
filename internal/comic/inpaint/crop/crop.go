// Package crop has the rectangle of a page that an inpainting method works on: its colors, and which pixels are to be filled, are given, or
// must not be used.
package crop

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// State says how a fill uses a pixel.
type State uint8

// The states.
const (
	// Known pixels are given. Fills join them without a seam and may copy them.
	Known State = iota
	// Hole pixels are to be filled.
	Hole
	// Barred pixels are neither filled nor used, because they do not continue behind a hole.
	Barred
)

// Crop is a rectangle of a page, stored row by row.
type Crop struct {
	// Rect is the rectangle in page coordinates.
	Rect image.Rectangle
	// Pix has the red, green and blue value of each pixel.
	Pix []uint8
	// State has one entry for each pixel.
	State []State
}

// Cut copies the rectangle r of the page, which must contain it. Every pixel is Known.
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

// New returns a black crop in which every pixel is Known.
func New(r image.Rectangle) *Crop {
	n := r.Dx() * r.Dy()
	return &Crop{Rect: r, Pix: make([]uint8, 3*n), State: make([]State, n)}
}

// Halve returns the crop at half the resolution: the means of the Known pixels of each block of 2 by 2. A pixel is Hole only if its block has
// no Known pixel, so that holes shrink, and Barred if it has neither; then it has the mean of the block's pixels of that state.
func (c *Crop) Halve() *Crop {
	half := New(image.Rect(0, 0, (c.Width()+1)/2, (c.Height()+1)/2))
	var sum [3][3]int // by state and channel
	for j := range half.State {
		x, y := 2*(j%half.Width()), 2*(j/half.Width())
		var count [3]int
		clear(sum[:])
		for at := range raster.Pixels(image.Rect(x, y, min(x+2, c.Width()), min(y+2, c.Height()))) {
			i := at.Y*c.Width() + at.X
			s := c.State[i]
			count[s]++
			for k := range sum[s] {
				sum[s][k] += int(c.Pix[3*i+k])
			}
		}
		s := State(slices.IndexFunc(count[:], func(n int) bool { return n > 0 })) // Known before Hole before Barred
		half.State[j] = s
		for k := range sum[s] {
			half.Pix[3*j+k] = uint8((sum[s][k] + count[s]/2) / count[s])
		}
	}
	return half
}

// Width returns the number of columns.
func (c *Crop) Width() int { return c.Rect.Dx() }

// Height returns the number of rows.
func (c *Crop) Height() int { return c.Rect.Dy() }

// Mark sets the state of the pixels of a set. It ignores pixels outside the crop.
func (c *Crop) Mark(set *bitmap.Bitmap, s State) {
	for i := range set.Over(c.Rect).All() {
		c.State[i] = s
	}
}

// Set returns the pixels of state s.
func (c *Crop) Set(s State) *bitmap.Bitmap {
	b := bitmap.New(c.Rect)
	for i, t := range c.State {
		if t == s {
			b.Pix[i] = 1
		}
	}
	return b
}

// Color returns the color of pixel i.
func (c *Crop) Color(i int) raster.RGB { return raster.RGB(c.Pix[3*i : 3*i+3]) }

// Put sets the color of pixel i and makes it Known.
func (c *Crop) Put(i int, color raster.RGB) {
	copy(c.Pix[3*i:3*i+3], color[:])
	c.State[i] = Known
}

// Paste copies the pixels of the set to the page, without alpha. The crop must contain the set.
func (c *Crop) Paste(img *image.NRGBA, set *bitmap.Bitmap) {
	for _, at := range set.All() {
		j := 3 * c.offset(at.X, at.Y)
		copy(img.Pix[img.PixOffset(at.X, at.Y):], c.Pix[j:j+3])
	}
}

func (c *Crop) offset(x, y int) int { return (y-c.Rect.Min.Y)*c.Rect.Dx() + x - c.Rect.Min.X }
