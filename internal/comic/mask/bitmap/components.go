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
	seen := make([]bool, len(b.Pix))
	pixels := make([]int32, 0, room)
	var out []Component
	for i := range places {
		if b.Pix[i] == 0 || seen[i] {
			continue
		}
		from := len(pixels)
		pixels = b.flood(i, seen, pixels)
		part := pixels[from:len(pixels):len(pixels)]
		out = append(out, Component{Pixels: part, Bounds: b.boundsOf(part)})
	}
	return out
}

// Flood is the part of b that is 8-connected to the pixels of seed within b.
func (b *Bitmap) Flood(seed *Bitmap) *Bitmap {
	seen := make([]bool, len(b.Pix))
	var pixels []int32
	for i, p := range b.Pix {
		if at := b.Point(i); p != 0 && !seen[i] && seed.Has(at.X, at.Y) {
			pixels = b.flood(int32(i), seen, pixels)
		}
	}
	out := New(b.Rect)
	for _, i := range pixels {
		out.Pix[i] = 1
	}
	return out
}

func (b *Bitmap) flood(start int32, seen []bool, pixels []int32) []int32 {
	w, h := int32(b.Rect.Dx()), int32(b.Rect.Dy())
	next := len(pixels)
	seen[start] = true
	pixels = append(pixels, start)
	for ; next < len(pixels); next++ {
		x, y := pixels[next]%w, pixels[next]/w
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
				if j := ny*w + nx; b.Pix[j] != 0 && !seen[j] {
					seen[j] = true
					pixels = append(pixels, j)
				}
			}
		}
	}
	return pixels
}

func (b *Bitmap) boundsOf(pixels []int32) image.Rectangle {
	r := image.Rectangle{Min: b.Rect.Max, Max: b.Rect.Min}
	for _, i := range pixels {
		p := b.Point(int(i))
		r.Min.X, r.Max.X = min(r.Min.X, p.X), max(r.Max.X, p.X+1)
		r.Min.Y, r.Max.Y = min(r.Min.Y, p.Y), max(r.Max.Y, p.Y+1)
	}
	return r
}
