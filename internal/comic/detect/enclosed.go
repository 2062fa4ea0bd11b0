package detect

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// How a line that holds a small bubble whole is drawn in.
const (
	// enclosedReach is how far beyond a line its bubble may reach, in thicknesses of the line.
	enclosedReach = 0.5
	// enclosedShare is how much of the line's box the inside of the bubble takes at least: that of a letter takes less.
	enclosedShare = 0.5
	// enclosedFlat is the least share of the color around within such a line.
	enclosedFlat = 0.25
	// enclosedBlank is what a bubble leaves blank around its lettering at least, in thicknesses of the lettering: an outline that is drawn
	// around letters holds them too, and is narrower.
	enclosedBlank = 0.15
	// enclosedMargin is what is left blank around the lettering, in its thicknesses, as the model leaves it.
	enclosedMargin = 0.25
	// enclosedGain is how thick the lettering is at most, in thicknesses of the line: other lines are found well.
	enclosedGain = 0.85
)

// drawnIn draws lines that hold a small bubble whole in to the lettering inside: the model takes the outline of a bubble that is
// hardly larger than its text for part of it.
func drawnIn(img *image.NRGBA, lines []Line) []Line {
	for i, l := range lines {
		if box := letteringInside(img, l.Quad); !box.Empty() {
			x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
			lines[i].Quad = raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
		}
	}
	return lines
}

// letteringInside is the box of what stands in the bubble that a line holds whole, with a margin; empty where it holds none.
func letteringInside(img *image.NRGBA, q raster.Quad) image.Rectangle {
	color, share := paperColor(img, q)
	if share < enclosedFlat {
		return image.Rectangle{}
	}
	box := boundsOfQuad(q)
	thick := min(box.Dx(), box.Dy())
	paper := bitmap.New(box.Inset(-int(enclosedReach*float64(thick)) - 2).Intersect(img.Rect))
	for i := range paper.Pix {
		if at := paper.Point(i); !raster.Distinct(raster.At(img, at.X, at.Y), color) {
			paper.Pix[i] = 1
		}
	}
	var inside bitmap.Component
	for _, c := range paper.Components() {
		if c.Bounds.In(paper.Rect.Inset(1)) && len(c.Pixels) > len(inside.Pixels) {
			inside = c
		}
	}
	lettering, area := heldIn(paper, inside)
	if lettering.Empty() || float64(area) < enclosedShare*thickness(q)*length(q) {
		return image.Rectangle{}
	}
	around := float64(min(lettering.Dx(), lettering.Dy()))
	if !lettering.Inset(-int(math.Ceil(enclosedBlank * around))).In(inside.Bounds) {
		return image.Rectangle{}
	}
	lettering = lettering.Inset(-int(enclosedMargin * around)).Intersect(inside.Bounds)
	if !lettering.In(box.Inset(-2)) || float64(min(lettering.Dx(), lettering.Dy())) > enclosedGain*float64(thick) {
		return image.Rectangle{}
	}
	return lettering
}

// heldIn is the box of what lies within a part of the paper, all around, and how many pixels that is with the part.
func heldIn(paper *bitmap.Bitmap, part bitmap.Component) (box image.Rectangle, area int) {
	rest := bitmap.New(part.Bounds.Inset(-1))
	for i := range rest.Pix {
		rest.Pix[i] = 1
	}
	for _, i := range part.Pixels {
		at := paper.Point(int(i))
		rest.Pix[rest.Offset(at.X, at.Y)] = 0
	}
	area = len(part.Pixels)
	for _, c := range rest.Components() {
		if c.Bounds.In(rest.Rect.Inset(1)) {
			box, area = box.Union(c.Bounds), area+len(c.Pixels)
		}
	}
	return box, area
}

// boundsOfQuad is the smallest box of pixels around a quad.
func boundsOfQuad(q raster.Quad) image.Rectangle {
	x0, y0, x1, y1 := q.Bounds()
	return image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1)
}
