package textarea

import (
	"image"
	"slices"

	"plait/internal/raster"
)

const (
	// stray is the part of a row or column of a margin that may be of another color: a page number, a speck.
	stray = 0.01
	// widestMargin is the part of a page that its margin takes at most.
	widestMargin = 0.2
	// mostPoked is the part of a margin that may be drawn over where art pokes into it.
	mostPoked = 0.5
)

// margins are the edges of the margins of the page, on the sides where nothing but ground lies: no bubble reaches into
// them. Where bubbles hide the art at one side of a page, its margin is as wide as those of the others.
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

// poked reports whether a margin is as wide as the others but for what is drawn across its edge: sounds, tips of hair.
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

// margin is the edge of the margin on a side.
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

// empty reports whether the row or column so far from a side is ground.
func (f *field) empty(page *image.NRGBA, side, depth, length int) bool {
	return f.drawn(page, side, depth, length) <= int(stray*float64(length))
}

// drawn is how many pixels of the row or column so far from a side are not ground.
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
