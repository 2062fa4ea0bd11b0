package textarea

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// brushes are radiuses of a disc, in em: openings that it does not pass are closed. The first closes only the thinnest gaps in an outline,
// the second, for texts without a bounded interior, gaps that a line of text would fit through.
var brushes = [...]float64{0.1, 0.8}

// findInteriors determines the interior of every text of the field.
func (f *field) findInteriors(page image.Rectangle, panels []image.Rectangle) {
	for _, panel := range panels {
		f.wallUp(f.down(panel))
	}
	left := len(f.texts)
	for _, brush := range brushes {
		if left == 0 {
			return
		}
		for n, cell := range f.cells(brush * f.em) {
			if t := f.texts[n]; t.interior == nil && f.bounded(t, cell) {
				t.interior = f.up(cell, page)
				left--
			}
		}
	}
}

// offCenter is the greatest distance between the middles of an interior and of its text, in units of half the extent of the interior.
const offCenter = 0.5

// bounded reports whether a cell looks like an interior: the window does not cut it, and the text is near its middle.
func (f *field) bounded(t *text, cell *bitmap.Bitmap) bool {
	r := cell.Rect
	if r.Empty() || f.cuts(r) {
		return false
	}
	dx, dy := r.Min.X+r.Max.X-t.box.Min.X-t.box.Max.X, r.Min.Y+r.Max.Y-t.box.Min.Y-t.box.Max.Y
	return float64(max(dx, -dx)) <= offCenter*float64(r.Dx()) && float64(max(dy, -dy)) <= offCenter*float64(r.Dy())
}

// cuts reports whether the edge of the window, other than the edge of the page, may cut something with bounds r.
func (f *field) cuts(r image.Rectangle) bool {
	return !r.Inset(-1).Intersect(f.page).In(f.window)
}

// wall is the width of the edge of a panel, in reduced pixels.
const wall = 2

// wallUp removes the edges of a panel from the ground. A bubble of the color of the gutter hides the edge that it covers, but its part inside
// the panel still ends there. A text across an edge shows that its bubble extends across it, so that edge is left open.
func (f *field) wallUp(panel image.Rectangle) {
	for _, edge := range edges(panel) {
		if slices.ContainsFunc(f.texts, func(t *text) bool { return t.crosses(panel, edge) }) {
			continue
		}
		for at := range raster.Pixels(edge.Intersect(f.window)) {
			f.ground.Pix[f.ground.Offset(at.X, at.Y)] = 0
		}
	}
}

// edges returns the four edges of a panel.
func edges(panel image.Rectangle) [4]image.Rectangle {
	top, bottom, left, right := panel, panel, panel, panel
	top.Max.Y, bottom.Min.Y = panel.Min.Y+wall, panel.Max.Y-wall
	left.Max.X, right.Min.X = panel.Min.X+wall, panel.Max.X-wall
	return [4]image.Rectangle{top, bottom, left, right}
}

// crosses reports whether a text is across an edge of a panel.
func (t *text) crosses(panel, edge image.Rectangle) bool {
	core := t.core(t.box)
	return core.Overlaps(edge) && !core.In(panel)
}

// core returns a box of lettering without its outermost part: boxes are larger than their ink, and may extend over the edge of a panel.
func (t *text) core(box image.Rectangle) image.Rectangle {
	return box.Inset(int(min(0.6*t.em, float64(box.Dx())/3, float64(box.Dy())/3)))
}

// cells divides the ground among the texts: each pixel belongs to the text whose lines are nearest inside of it. Only pixels that a disc of
// radius brush covers belong to a cell. A text without pixels has an empty cell.
func (f *field) cells(brush float64) []*bitmap.Bitmap {
	opened := f.ground.Erode(brush).Dilate(brush)
	labels := f.markers(opened)
	f.flood(opened, labels)
	boxes := make([]image.Rectangle, len(f.texts))
	for i, l := range labels {
		if l > 0 {
			at := opened.Point(i)
			boxes[l-1] = boxes[l-1].Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
		}
	}
	cells := make([]*bitmap.Bitmap, len(f.texts))
	for n, box := range boxes {
		cells[n] = bitmap.Where(box, func(at image.Point) bool { return labels[opened.Offset(at.X, at.Y)] == int16(n+1) })
	}
	return cells
}

// markers labels the cores of the lines of each text. One array has the labels of all texts: a strip has hundreds.
func (f *field) markers(opened *bitmap.Bitmap) []int16 {
	labels := make([]int16, len(opened.Pix))
	for n, t := range f.texts {
		for _, line := range t.lines {
			for at := range raster.Pixels(t.core(line)) {
				if opened.Has(at.X, at.Y) && labels[opened.Offset(at.X, at.Y)] == 0 {
					labels[opened.Offset(at.X, at.Y)] = int16(n + 1)
				}
			}
		}
	}
	return labels
}

// flood grows the labels over the set, each pixel from the label that is nearest in it.
func (f *field) flood(set *bitmap.Bitmap, labels []int16) {
	w, h := int32(f.window.Dx()), int32(f.window.Dy())
	var queue []int32
	for i, l := range labels {
		if l > 0 {
			queue = append(queue, int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		x, y := i%w, i/w
		for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
				if j := ny*w + nx; set.Pix[j] != 0 && labels[j] == 0 {
					labels[j] = labels[i]
					queue = append(queue, j)
				}
			}
		}
	}
}
