// Package bitmap holds sets of pixels and the exact Euclidean morphology that masks, fills and bubble interiors are
// made with. A Bitmap covers a rectangle of a page in page coordinates, so that the bitmaps of regions stay small and
// combine without shifting.
package bitmap

import "image"

// Bitmap is a set of pixels within Rect, in page coordinates. Pix holds one byte a pixel, row by row: 0 or 1.
type Bitmap struct {
	Rect image.Rectangle
	Pix  []uint8
}

// New is an empty set over r.
func New(r image.Rectangle) *Bitmap {
	return &Bitmap{Rect: r, Pix: make([]uint8, r.Dx()*r.Dy())}
}

// Offset is the place of (x, y) in Pix; the point lies within Rect.
func (b *Bitmap) Offset(x, y int) int { return (y-b.Rect.Min.Y)*b.Rect.Dx() + x - b.Rect.Min.X }

// Point is the page coordinate of Pix[i].
func (b *Bitmap) Point(i int) image.Point {
	w := b.Rect.Dx()
	return image.Pt(b.Rect.Min.X+i%w, b.Rect.Min.Y+i/w)
}

// Has reports whether (x, y) is in the set; points outside Rect are not.
func (b *Bitmap) Has(x, y int) bool {
	return image.Pt(x, y).In(b.Rect) && b.Pix[b.Offset(x, y)] != 0
}

// Add puts (x, y) into the set; points outside Rect are ignored.
func (b *Bitmap) Add(x, y int) {
	if image.Pt(x, y).In(b.Rect) {
		b.Pix[b.Offset(x, y)] = 1
	}
}

// Union adds the pixels of o that lie within b.
func (b *Bitmap) Union(o *Bitmap) {
	r := b.Rect.Intersect(o.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from, to := o.Offset(r.Min.X, y), b.Offset(r.Min.X, y)
		for i := range r.Dx() {
			b.Pix[to+i] |= o.Pix[from+i]
		}
	}
}

// Count is the number of pixels in the set.
func (b *Bitmap) Count() int {
	n := 0
	for _, p := range b.Pix {
		n += int(p)
	}
	return n
}

// Bounds is the smallest rectangle around the pixels of the set; empty for an empty set.
func (b *Bitmap) Bounds() image.Rectangle {
	r := image.Rectangle{Min: b.Rect.Max, Max: b.Rect.Min}
	i := 0
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if b.Pix[i] != 0 {
				r.Min.X, r.Max.X = min(r.Min.X, x), max(r.Max.X, x+1)
				r.Min.Y, r.Max.Y = min(r.Min.Y, y), max(r.Max.Y, y+1)
			}
			i++
		}
	}
	if r.Empty() {
		return image.Rectangle{}
	}
	return r
}

// Dilate is the set of pixels of Rect within radius of a pixel of b.
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

// Erode is the set of pixels of b farther than radius from every pixel of Rect that is not in b. What lies outside
// Rect counts as part of b.
func (b *Bitmap) Erode(radius float64) *Bitmap {
	limit := int32(radius * radius)
	out := New(b.Rect)
	for i, d := range b.Complement().distanceWithin(int32(radius)) {
		if d > limit {
			out.Pix[i] = 1
		}
	}
	return out
}

// Complement is the set of the pixels of Rect that are not in b.
func (b *Bitmap) Complement() *Bitmap {
	out := New(b.Rect)
	for i, p := range b.Pix {
		out.Pix[i] = 1 - p
	}
	return out
}
