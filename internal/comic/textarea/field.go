package textarea

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// field is the part of a page around texts that have the same ground color and are near each other. They may share a bubble, and their
// bubbles may be open to the same gutter. A field is analyzed on a reduced page, so that the size of a text in pixels, and the time, are
// about the same for any page. Its coordinates and lengths are in reduced pixels.
type field struct {
	window, page image.Rectangle
	color        raster.RGB
	// factor is the number of pixels of the page per pixel of the field, in each direction. em is the mean of the em of the texts.
	factor int
	em     float64
	texts  []*text
	// differs is the difference of each pixel from the color, in levels, at most 255.
	differs []uint8
	// panels are the panels of the page.
	panels []image.Rectangle
}

// text is a place in a field, in reduced pixels.
type text struct {
	*place
	box   image.Rectangle
	lines []image.Rectangle
	em    float64
}

const (
	// sameGround is the greatest difference between two grounds that count as one color, in levels.
	sameGround = 12
	// leastReach is the least distance from a text to the edge of its field, in em. It is large enough to see the borders of its panel.
	leastReach = 10
	// reducedEm is the least em of a reduced page, in reduced pixels.
	reducedEm = 10.0
)

// fields groups the places that have the same ground color. Their methods need reduce to be called first.
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

// reduce computes the reduced page and everything that depends on its factor.
func (f *field) reduce(page *image.NRGBA, panels []image.Rectangle) {
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
		for _, line := range t.place.lines {
			t.lines = append(t.lines, f.down(line))
		}
	}
	for _, panel := range panels {
		f.panels = append(f.panels, f.down(panel))
	}
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

// down returns the smallest rectangle of reduced pixels that contains r.
func (f *field) down(r image.Rectangle) image.Rectangle {
	k := f.factor
	return image.Rect(r.Min.X/k, r.Min.Y/k, (r.Max.X+k-1)/k, (r.Max.Y+k-1)/k)
}

// up converts a set of the field to pixels of the page.
func (f *field) up(b *bitmap.Bitmap, page image.Rectangle) *bitmap.Bitmap {
	k := f.factor
	box := image.Rectangle{Min: b.Rect.Min.Mul(k), Max: b.Rect.Max.Mul(k)}.Intersect(page)
	return bitmap.Where(box, func(at image.Point) bool { return b.Has(at.X/k, at.Y/k) })
}

// ground returns the pixels of the color, with specks of a few pixels: remains of erasing, or compression noise.
func (f *field) ground() *bitmap.Bitmap {
	out := bitmap.New(f.window)
	for i, by := range f.differs {
		if by <= insideLevels {
			out.Pix[i] = 1
		}
	}
	out.Union(out.Complement().Keep(func(c bitmap.Component) bool { return len(c.Pixels) <= int(speck*f.em*f.em) }))
	return out
}

// speck is the greatest area of a hole in the ground that is ignored, in square em.
const speck = 0.03
