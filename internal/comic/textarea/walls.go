package textarea

import (
	"image"
	"slices"

	"plait/internal/raster/bitmap"
)

// wall is the width of the edge of a panel, in reduced pixels.
const wall = 2

// withWalls returns the ground without the edges of the panels. A bubble of the color of the gutter hides the edge that it covers, but its
// part inside the panel still ends there. A text across an edge shows that its bubble extends across it, so that edge is left open.
func (f *field) withWalls(ground *bitmap.Bitmap) *bitmap.Bitmap {
	out := ground.Over(f.window)
	for _, panel := range f.panels {
		for _, edge := range edges(panel) {
			if slices.ContainsFunc(f.texts, func(t *text) bool { return t.crosses(panel, edge) }) {
				continue
			}
			edge = edge.Intersect(f.window)
			for y := edge.Min.Y; y < edge.Max.Y; y++ {
				clear(out.Pix[out.Offset(edge.Min.X, y):][:edge.Dx()])
			}
		}
	}
	return out
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

// core returns a box of lettering without its outermost part: boxes are slightly larger than their ink, and may extend over the edge of a
// panel.
func (t *text) core(box image.Rectangle) image.Rectangle {
	return box.Inset(int(min(0.6*t.em, float64(box.Dx())/3, float64(box.Dy())/3)))
}
