package textarea

import (
	"image"
	"math"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// midFrom and midTo limit the middle of a line, as shares of its height. An outline that overlaps the box of the line does not extend
	// into it.
	midFrom, midTo = 0.35, 0.65
	// mostStrokes is the greatest share of the middle of the lines that strokes cover if the text is in a bubble.
	mostStrokes = 0.001
	// strokeInEm is the least distance that a stroke of art extends beyond the lines, in em. Shorter strokes may be remains of the
	// lettering.
	strokeInEm = 0.25
)

// onStrokes reports whether strokes of art cross the lines, with the interior on both sides of them. The text is then on a uniform part of
// a drawing, and the apparent interior is only the space between its strokes.
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

// flanked returns the pixels of a row from the first to the last one in the interior.
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

// alongMiddle visits the rows of pixels in the middle of a line, along its longer sides.
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
