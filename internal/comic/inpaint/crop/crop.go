// Package crop has the rectangle of a page that an inpainting method works on.
package crop

import (
	"image"
	"image/draw"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Crop is a rectangle of a page. Pixels that are in neither set are known: fills join them without a seam and may copy them.
type Crop struct {
	// RGBA has the colors, which are opaque, and Rect in page coordinates.
	*image.RGBA
	// Hole is what is to be filled. Barred is what is neither filled nor used, because it does not continue behind a hole.
	Hole, Barred *bitmap.Bitmap
}

// Cut copies the rectangle r of the page, which must contain it, without alpha. Every pixel is known.
func Cut(img *image.NRGBA, r image.Rectangle) *Crop {
	c := New(r)
	for at := range raster.Pixels(r) {
		copy(c.Pix[c.PixOffset(at.X, at.Y):][:3], img.Pix[img.PixOffset(at.X, at.Y):])
	}
	return c
}

// New returns a black crop in which every pixel is known.
func New(r image.Rectangle) *Crop {
	c := &Crop{RGBA: image.NewRGBA(r), Hole: bitmap.New(r), Barred: bitmap.New(r)}
	draw.Draw(c, r, image.Black, image.Point{}, draw.Src)
	return c
}

// Halve returns the crop at half the resolution: the means of the known pixels of each block of 2 by 2. A pixel is in Hole only if its block has
// no known pixel, so that holes shrink, and in Barred if it has neither; then it has the mean of the block's pixels of that set.
func (c *Crop) Halve() *Crop {
	half := New(image.Rect(0, 0, (c.Width()+1)/2, (c.Height()+1)/2))
	for j := range half.Hole.Pix {
		x, y := 2*(j%half.Width()), 2*(j/half.Width())
		var sum [3][3]int // of the known, Hole and Barred pixels, by channel
		var count [3]int
		for at := range raster.Pixels(image.Rect(x, y, min(x+2, c.Width()), min(y+2, c.Height()))) {
			i := at.Y*c.Width() + at.X
			of := c.Hole.Pix[i] + 2*c.Barred.Pix[i]
			count[of]++
			for k := range sum[of] {
				sum[of][k] += int(c.Pix[4*i+k])
			}
		}
		of := 0
		for count[of] == 0 {
			of++
		}
		for k := range sum[of] {
			half.Pix[4*j+k] = uint8((sum[of][k] + count[of]/2) / count[of])
		}
		half.Hole.Pix[j], half.Barred.Pix[j] = uint8(of&1), uint8(of>>1)
	}
	return half
}

// Width returns the number of columns.
func (c *Crop) Width() int { return c.Rect.Dx() }

// Height returns the number of rows.
func (c *Crop) Height() int { return c.Rect.Dy() }

// Known reports whether pixel i is in neither set.
func (c *Crop) Known(i int) bool { return c.Hole.Pix[i]|c.Barred.Pix[i] == 0 }

// Color returns the color of pixel i.
func (c *Crop) Color(i int) raster.RGB { return raster.RGB(c.Pix[4*i : 4*i+3]) }

// Paste copies the pixels of the set to the page, without alpha. The crop must contain the set.
func (c *Crop) Paste(img *image.NRGBA, set *bitmap.Bitmap) {
	for _, at := range set.All() {
		copy(img.Pix[img.PixOffset(at.X, at.Y):], c.Pix[c.PixOffset(at.X, at.Y):][:3])
	}
}
