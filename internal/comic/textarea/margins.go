package textarea

import (
	"image"
	"slices"

	"plait/internal/raster"
)

const (
	// stray is the share of a row or column of a margin that may have another color, for page numbers and specks.
	stray = 0.01
	// widestMargin is the greatest width of a margin, as a share of the page.
	widestMargin = 0.2
	// mostPoked is the share of a margin that art may cover where it extends into the margin.
	mostPoked = 0.5
)

// margins returns the edges of the margins of the page, on the sides that have only ground. No bubble extends into them. Where bubbles
// hide the art on one side of a page, its margin is as wide as the others.
func (f *field) margins(page *image.NRGBA) []*edge {
	r := page.Rect
	var widths [4]int // left, top, right, bottom
	for side := range widths {
		along, across := r.Dy(), r.Dx()
		if side%2 == 1 {
			along, across = across, along
		}
		for widths[side] < int(widestMargin*float64(across)) && f.empty(page, side, widths[side], along) {
			widths[side]++
		}
	}
	var out []*edge
	for side, width := range widths {
		others := slices.Delete(slices.Clone(widths[:]), side, side+1)
		slices.Sort(others)
		if width > others[1] || f.poked(page, side, width, others[1]) {
			width = others[1]
		}
		if width > 0 {
			out = append(out, f.margin(r, side, width))
		}
	}
	return out
}

// poked reports whether a margin is as wide as the others except for art that extends across its edge, such as sound effects and tips of
// hair.
func (f *field) poked(page *image.NRGBA, side, width, others int) bool {
	along := page.Rect.Dy()
	if side%2 == 1 {
		along = page.Rect.Dx()
	}
	drawn := 0
	for depth := width; depth < others; depth++ {
		drawn += f.drawn(page, side, depth, along)
	}
	return float64(drawn) < mostPoked*float64(along*(others-width))
}

// margin returns the edge of the margin on a side.
func (f *field) margin(page image.Rectangle, side, width int) *edge {
	e := &edge{upright: side%2 == 0, art: 1}
	v, size, from, long := width, page.Dx(), f.window.Min.X, f.window.Dy()
	if !e.upright {
		size, from, long = page.Dy(), f.window.Min.Y, f.window.Dx()
	}
	if side >= 2 {
		e.art, v = -1, size-width
	}
	e.offset = float64(v/f.factor - from)
	e.seen = []stretch{{0, long - 1}}
	return e
}

// empty reports whether the row or column at a distance from a side is ground.
func (f *field) empty(page *image.NRGBA, side, depth, length int) bool {
	return f.drawn(page, side, depth, length) <= int(stray*float64(length))
}

// drawn returns the number of pixels that are not ground in the row or column at a distance from a side.
func (f *field) drawn(page *image.NRGBA, side, depth, length int) int {
	n := 0
	for i := range length {
		at := [4]image.Point{{depth, i}, {i, depth}, {page.Rect.Dx() - 1 - depth, i}, {i, page.Rect.Dy() - 1 - depth}}[side]
		p := page.PixOffset(at.X, at.Y)
		if raster.Difference(raster.RGB{page.Pix[p], page.Pix[p+1], page.Pix[p+2]}, f.color) > insideLevels {
			n++
		}
	}
	return n
}
