package textarea

import (
	"image"
	"math"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// field is the part of a page around texts that stand on one color and are near each other: they may share a bubble, and
// their bubbles may be open into one gutter. It is looked at on a reduced page, so that the size of a text is the same
// on any page and the time too. Coordinates and lengths of a field are in reduced pixels.
type field struct {
	window, page image.Rectangle
	color        raster.RGB
	// factor is how many pixels of the page, across and down, are one of the field; em is the mean of the texts'.
	factor int
	em     float64
	texts  []*text
	// differs is by how many levels a pixel differs from the color, at most 255.
	differs []uint8
	// frame are the edges of the page's margins.
	frame []*edge
}

// text is a place in a field.
type text struct {
	*place
	box   image.Rectangle
	lines []image.Rectangle
	em    float64
}

const (
	// sameGround: texts whose grounds differ by so many levels stand on one color.
	sameGround = 12
	// leastReach is how far around a text its field goes, in em: so far that the edges of its panel are seen.
	leastReach = 10
	// reducedEm is the em that a reduced page has at least.
	reducedEm = 10.0
)

// fields groups the places that stand on one color; what depends on the factor is still to be filled in.
func fields(page *image.NRGBA, places []*place) []*field {
	var out []*field
	for _, p := range places {
		if !p.flat {
			continue
		}
		reach := int(max(leastReach*p.em, float64(max(p.box.Dx(), p.box.Dy()))))
		f := &field{window: p.box.Inset(-reach).Intersect(page.Rect), color: p.ground, texts: []*text{{place: p}}}
		out = append(slices.DeleteFunc(out, func(o *field) bool {
			same := o.window.Overlaps(f.window) && raster.Difference(o.color, f.color) <= sameGround
			if same {
				f.window, f.texts = f.window.Union(o.window), slices.Concat(o.texts, f.texts)
			}
			return same
		}), f)
	}
	return out
}

// reduce fills in what depends on the factor.
func (f *field) reduce(page *image.NRGBA) {
	var sum float64
	for _, t := range f.texts {
		sum += t.place.em
	}
	f.factor = max(1, int(sum/float64(len(f.texts))/reducedEm))
	full := f.window
	f.window, f.page = f.down(f.window), f.down(page.Rect)
	for _, t := range f.texts {
		t.em = t.place.em / float64(f.factor)
		f.em += t.em / float64(len(f.texts))
		t.box = f.down(t.place.box)
		for _, q := range t.place.lines {
			x0, y0, x1, y1 := q.Bounds()
			line := f.down(image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1))))
			t.lines = append(t.lines, line.Intersect(f.window))
		}
	}
	f.frame = f.margins(page)
	f.differs = make([]uint8, f.window.Dx()*f.window.Dy())
	for y := full.Min.Y; y < full.Max.Y; y++ {
		row := page.Pix[page.PixOffset(full.Min.X, y):]
		out := f.differs[(y/f.factor-f.window.Min.Y)*f.window.Dx():]
		for x := range full.Dx() {
			by := raster.Difference(raster.RGB{row[4*x], row[4*x+1], row[4*x+2]}, f.color)
			at := (x+full.Min.X)/f.factor - f.window.Min.X
			out[at] = max(out[at], uint8(by))
		}
	}
}

// down is the rectangle of reduced pixels that holds r.
func (f *field) down(r image.Rectangle) image.Rectangle {
	k := f.factor
	return image.Rect(r.Min.X/k, r.Min.Y/k, (r.Max.X+k-1)/k, (r.Max.Y+k-1)/k)
}

// up is a set of the field on the page.
func (f *field) up(b *bitmap.Bitmap, page image.Rectangle) *bitmap.Bitmap {
	k := f.factor
	out := bitmap.New(image.Rect(b.Rect.Min.X*k, b.Rect.Min.Y*k, b.Rect.Max.X*k, b.Rect.Max.Y*k).Intersect(page))
	for y := out.Rect.Min.Y; y < out.Rect.Max.Y; y++ {
		from, to := b.Offset(b.Rect.Min.X, y/k), out.Offset(out.Rect.Min.X, y)
		for x := range out.Rect.Dx() {
			out.Pix[to+x] = b.Pix[from+x/k]
		}
	}
	return out
}

// ground is the set of pixels within so many levels of the color. Specks of a few pixels are what erasing or JPEG left,
// no edge.
func (f *field) ground(levels uint8) *bitmap.Bitmap {
	out := bitmap.New(f.window)
	for i, by := range f.differs {
		if by <= levels {
			out.Pix[i] = 1
		}
	}
	for _, c := range out.Complement().Components() {
		if len(c.Pixels) <= int(speck*f.em*f.em) {
			for _, i := range c.Pixels {
				out.Pix[i] = 1
			}
		}
	}
	return out
}

// speck is the largest hole in the ground that is none, in square em.
const speck = 0.03
