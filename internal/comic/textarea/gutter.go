package textarea

import (
	"image"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// mostBorder is the least share of the border of a page that has one color if the page has margins.
	mostBorder = 0.5
	// inGutter is the least share of the lines of a text that is in the gutter if the text is.
	inGutter = 0.5
)

// Gutter returns the pixels between the panels of a page and in its margins: those that have the most frequent color of the border of
// the page and are connected to the border. It is empty if panels extend to the border.
func Gutter(page *image.NRGBA) *bitmap.Bitmap {
	border := borderOf(page.Rect)
	counts := map[raster.RGB]int{}
	var color raster.RGB
	best := 0
	for _, at := range border {
		c := raster.At(page, at.X, at.Y)
		key := raster.RGB{c[0] &^ 7, c[1] &^ 7, c[2] &^ 7}
		counts[key]++
		if n := counts[key]; n > best {
			best, color = n, c
		}
	}
	seed := bitmap.New(page.Rect)
	n := 0
	for _, at := range border {
		if raster.Difference(raster.At(page, at.X, at.Y), color) <= insideLevels {
			seed.Add(at.X, at.Y)
			n++
		}
	}
	if float64(n) < mostBorder*float64(len(border)) {
		return bitmap.New(image.Rectangle{})
	}
	alike := bitmap.New(page.Rect)
	for i := range alike.Pix {
		if at := alike.Point(i); raster.Difference(raster.At(page, at.X, at.Y), color) <= insideLevels {
			alike.Pix[i] = 1
		}
	}
	return alike.Flood(seed)
}

// borderOf returns the outermost pixels of a page.
func borderOf(r image.Rectangle) (at []image.Point) {
	for x := r.Min.X; x < r.Max.X; x++ {
		at = append(at, image.Pt(x, r.Min.Y), image.Pt(x, r.Max.Y-1))
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at = append(at, image.Pt(r.Min.X, y), image.Pt(r.Max.X-1, y))
	}
	return at
}

// standsIn reports whether at least inGutter of the lines of the text is in a set.
func (p *place) standsIn(set *bitmap.Bitmap) bool {
	in, all := 0, 0
	for _, q := range p.region.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for y := int(y0); y < int(y1); y++ {
			for x := int(x0); x < int(x1); x++ {
				all++
				if set.Has(x, y) {
					in++
				}
			}
		}
	}
	return float64(in) >= inGutter*float64(all)
}
