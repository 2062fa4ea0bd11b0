package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// midFrom to midTo is the middle of a line, as shares of its height: an outline that the box of the line overlaps does not reach it.
	midFrom, midTo = 0.35, 0.65
	// mostStrokes is the largest part of the middle of the lines that is covered by strokes within a bubble.
	mostStrokes = 0.001
	// strokeInEm is how far, in em, a stroke of art runs beyond the lines at least; what does not may be left of the lettering.
	strokeInEm = 0.25
)

// onStrokes reports whether strokes of art stand in the lines, with the interior on both sides of them. The text then stands on
// an even part of a drawing, and what looks like the inside of a bubble is a pocket between its strokes.
func (p *place) onStrokes(page *image.NRGBA) bool {
	window := p.box.Inset(-int(math.Ceil(p.em))).Intersect(page.Rect)
	drawn := bitmap.New(window)
	for i := range drawn.Pix {
		if at := drawn.Point(i); raster.Difference(raster.At(page, at.X, at.Y), p.ground) > insideLevels {
			drawn.Pix[i] = 1
		}
	}
	between := bitmap.New(window)
	all := 0
	for _, q := range p.lines {
		alongMiddle(q, func(row []image.Point) {
			all += len(row)
			for _, at := range p.flanked(row) {
				if drawn.Has(at.X, at.Y) {
					between.Add(at.X, at.Y)
				}
			}
		})
	}
	covered, near := 0, p.box.Inset(-int(strokeInEm*p.em))
	for _, part := range drawn.Components() {
		if part.Bounds.In(near) {
			continue
		}
		for _, i := range part.Pixels {
			covered += int(between.Pix[i])
		}
	}
	return float64(covered) > mostStrokes*float64(all)
}

// flanked are the pixels of a row from the first to the last that is in the interior.
func (p *place) flanked(row []image.Point) []image.Point {
	isIn := func(at image.Point) bool { return p.interior.Has(at.X, at.Y) }
	for len(row) > 0 && !isIn(row[0]) {
		row = row[1:]
	}
	for len(row) > 0 && !isIn(row[len(row)-1]) {
		row = row[:len(row)-1]
	}
	return row
}

// alongMiddle visits the rows of pixels that run along the middle of a line, or down that of a column.
func alongMiddle(q raster.Quad, visit func(row []image.Point)) {
	along, across := sub(q[1], q[0]), sub(q[3], q[0])
	if math.Hypot(across[0], across[1]) > math.Hypot(along[0], along[1]) {
		along, across = across, along
	}
	length, height := math.Hypot(along[0], along[1]), math.Hypot(across[0], across[1])
	for v := midFrom * height; v < midTo*height; v++ {
		row := make([]image.Point, 0, int(length)+1)
		for u := 0.0; u < length; u++ {
			row = append(row, image.Pt(
				int(math.Floor(q[0][0]+u/length*along[0]+v/height*across[0])),
				int(math.Floor(q[0][1]+u/length*along[1]+v/height*across[1])),
			))
		}
		visit(row)
	}
}

func sub(a, b raster.Point) raster.Point { return raster.Point{a[0] - b[0], a[1] - b[1]} }
