package bitmap

import (
	"image"
	"iter"
	"slices"
)

// Component is a set of connected pixels.
type Component struct {
	// Pixels are places in Pix of the bitmap, in the order of the flood.
	Pixels []int32
	Bounds image.Rectangle
}

// Components are the 8-connected parts of b, ordered by their first pixel.
func (b *Bitmap) Components() []Component {
	return b.components(func(yield func(int32) bool) {
		for i := range b.Pix {
			if !yield(int32(i)) {
				return
			}
		}
	}, len(b.Pix)/8)
}

// ComponentsAt are the 8-connected parts of b that hold one of the places in Pix, ordered by the first of theirs. It looks at
// no pixels but those and what is connected to them.
func (b *Bitmap) ComponentsAt(places []int32) []Component {
	return b.components(slices.Values(places), len(places))
}

func (b *Bitmap) components(places iter.Seq[int32], room int) []Component {
	open := slices.Clone(b.Pix) // what is in no part yet
	pixels := make([]int32, 0, room)
	var out []Component
	for i := range places {
		if open[i] == 0 {
			continue
		}
		from := len(pixels)
		var bounds image.Rectangle
		pixels, bounds = b.flood(i, open, pixels)
		out = append(out, Component{Pixels: pixels[from:len(pixels):len(pixels)], Bounds: bounds})
	}
	return out
}

// Flood is the part of b that is 8-connected to the pixels of seed within b.
func (b *Bitmap) Flood(seed *Bitmap) *Bitmap {
	open := slices.Clone(b.Pix)
	var pixels []int32
	for i := range open {
		if at := b.Point(i); open[i] != 0 && seed.Has(at.X, at.Y) {
			pixels, _ = b.flood(int32(i), open, pixels)
		}
	}
	out := New(b.Rect)
	for _, i := range pixels {
		out.Pix[i] = 1
	}
	return out
}

// flood moves from open to pixels what is connected to start, and tells the bounds of that.
func (b *Bitmap) flood(start int32, open []uint8, pixels []int32) ([]int32, image.Rectangle) {
	w, h := int32(b.Rect.Dx()), int32(b.Rect.Dy())
	least, most := [2]int32{w, h}, [2]int32{}
	next := len(pixels)
	open[start] = 0
	pixels = append(pixels, start)
	for ; next < len(pixels); next++ {
		x, y := pixels[next]%w, pixels[next]/w
		least[0], least[1] = min(least[0], x), min(least[1], y)
		most[0], most[1] = max(most[0], x), max(most[1], y)
		left, right := max(x-1, 0), min(x+1, w-1)
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			row := open[ny*w+left : ny*w+right+1]
			for k, p := range row {
				if p != 0 {
					row[k] = 0
					pixels = append(pixels, ny*w+left+int32(k))
				}
			}
		}
	}
	return pixels, image.Rect(int(least[0]), int(least[1]), int(most[0])+1, int(most[1])+1).Add(b.Rect.Min)
}
