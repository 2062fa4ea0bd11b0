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
	// ground is what has the color, with specks of a few pixels: remains of erasing, or compression noise.
	ground *bitmap.Bitmap
}

// text is a place in a field, in reduced pixels.
type text struct {
	*place
	box   image.Rectangle
	lines []image.Rectangle
	em    float64
}

const (
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
			same := o.window.Overlaps(f.window) && raster.Difference(o.color, f.color) <= insideLevels
			if same {
				f.window, f.texts = f.window.Union(o.window), slices.Concat(o.texts, f.texts)
			}
			return same
		}), f)
	}
	return out
}

// reduce computes the reduced page and everything that depends on its factor.
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
		for _, line := range t.place.lines {
			t.lines = append(t.lines, f.down(line))
		}
	}
	marks := bitmap.New(f.window)
	for at := range raster.Pixels(full) {
		if raster.Difference(raster.At(page, at.X, at.Y), f.color) > insideLevels {
			marks.Pix[marks.Offset(at.X/f.factor, at.Y/f.factor)] = 1
		}
	}
	f.ground = marks.Keep(func(c bitmap.Component) bool { return len(c.Pixels) > int(speck*f.em*f.em) }).Complement()
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

// speck is the greatest area of a hole in the ground that is ignored, in square em.
const speck = 0.03
