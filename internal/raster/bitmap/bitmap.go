// Package bitmap has sets of pixels with exact Euclidean morphology. Masks, fills and bubble interiors are computed with it. A Bitmap
// covers a rectangle of a page and uses page coordinates, so that the bitmaps of regions are small and can be combined without offsets.
package bitmap

import (
	"image"
	"iter"

	"plait/internal/raster"
)

// Bitmap is a set of pixels within Rect, in page coordinates. Pix has one byte for each pixel, row by row: 0 or 1.
type Bitmap struct {
	Rect image.Rectangle
	Pix  []uint8
}

// New returns an empty set over r.
func New(r image.Rectangle) *Bitmap {
	return &Bitmap{Rect: r, Pix: make([]uint8, r.Dx()*r.Dy())}
}

// Where returns the pixels of r of which keep says so.
func Where(r image.Rectangle, keep func(image.Point) bool) *Bitmap {
	b := New(r)
	i := 0
	for at := range raster.Pixels(r) {
		if keep(at) {
			b.Pix[i] = 1
		}
		i++
	}
	return b
}

// Changed returns the pixels of a box in which two pictures differ by more than levels; see [raster.Difference].
func Changed(a, b *image.NRGBA, box image.Rectangle, levels int) *Bitmap {
	return Where(box, func(at image.Point) bool {
		return raster.Difference(raster.At(a, at.X, at.Y), raster.At(b, at.X, at.Y)) > levels
	})
}

// Over returns a set over r with the pixels of b that are within r.
func (b *Bitmap) Over(r image.Rectangle) *Bitmap {
	out := New(r)
	out.Union(b)
	return out
}

// All yields the pixels in the set with their indices in Pix, row by row.
func (b *Bitmap) All() iter.Seq2[int, image.Point] {
	return func(yield func(int, image.Point) bool) {
		i := 0
		for at := range raster.Pixels(b.Rect) {
			if b.Pix[i] != 0 && !yield(i, at) {
				return
			}
			i++
		}
	}
}

// Offset returns the index of (x, y) in Pix. The point must be within Rect.
func (b *Bitmap) Offset(x, y int) int { return (y-b.Rect.Min.Y)*b.Rect.Dx() + x - b.Rect.Min.X }

// Point returns the page coordinates of Pix[i].
func (b *Bitmap) Point(i int) image.Point {
	w := b.Rect.Dx()
	return image.Pt(b.Rect.Min.X+i%w, b.Rect.Min.Y+i/w)
}

// Has reports whether (x, y) is in the set. It returns false for points outside Rect.
func (b *Bitmap) Has(x, y int) bool {
	return image.Pt(x, y).In(b.Rect) && b.Pix[b.Offset(x, y)] != 0
}

// Add adds (x, y) to the set. It ignores points outside Rect.
func (b *Bitmap) Add(x, y int) {
	if image.Pt(x, y).In(b.Rect) {
		b.Pix[b.Offset(x, y)] = 1
	}
}

// Fill adds the pixels whose centers are inside q.
func (b *Bitmap) Fill(q raster.Quad) {
	for row := range q.Rows(b.Rect) {
		from := b.Offset(row.Min.X, row.Min.Y)
		for i := range row.Dx() {
			b.Pix[from+i] = 1
		}
	}
}

// Union adds the pixels of o that are within b.Rect.
func (b *Bitmap) Union(o *Bitmap) {
	r := b.Rect.Intersect(o.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := o.Offset(r.Min.X, y), b.Offset(r.Min.X, y)
		for i := range r.Dx() {
			b.Pix[to+i] |= o.Pix[from+i]
		}
	}
}

// And returns the pixels of b that are also in o, which has the same Rect.
func (b *Bitmap) And(o *Bitmap) *Bitmap {
	out := New(b.Rect)
	for i, p := range b.Pix {
		out.Pix[i] = p & o.Pix[i]
	}
	return out
}

// Without returns the pixels of b that are not in o, which has the same Rect.
func (b *Bitmap) Without(o *Bitmap) *Bitmap { return b.And(o.Complement()) }

// Count returns the number of pixels in the set.
func (b *Bitmap) Count() int {
	n := 0
	for _, p := range b.Pix {
		n += int(p)
	}
	return n
}

// Bounds returns the bounding box of the pixels in the set; it is empty for an empty set.
func (b *Bitmap) Bounds() image.Rectangle {
	r := image.Rectangle{Min: b.Rect.Max, Max: b.Rect.Min}
	for _, at := range b.All() {
		r.Min.X, r.Max.X = min(r.Min.X, at.X), max(r.Max.X, at.X+1)
		r.Min.Y, r.Max.Y = min(r.Min.Y, at.Y), max(r.Max.Y, at.Y+1)
	}
	if r.Empty() {
		return image.Rectangle{}
	}
	return r
}

// Dilate returns the dilation of b by a disk: the pixels of Rect within radius of a pixel in b.
func (b *Bitmap) Dilate(radius float64) *Bitmap {
	limit := int32(radius * radius)
	out := New(b.Rect)
	for i, d := range b.distanceWithin(int32(radius)) {
		if d <= limit {
			out.Pix[i] = 1
		}
	}
	return out
}

// Erode returns the pixels of b that are farther than radius from every pixel of Rect that is not in b.
func (b *Bitmap) Erode(radius float64) *Bitmap { return b.Complement().Dilate(radius).Complement() }

// Complement returns the set of the pixels of Rect that are not in b.
func (b *Bitmap) Complement() *Bitmap {
	out := New(b.Rect)
	for i, p := range b.Pix {
		out.Pix[i] = 1 - p
	}
	return out
}
