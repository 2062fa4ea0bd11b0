package textarea

import (
	"image"
	"slices"

	"plait/internal/raster/bitmap"
)

// wall is the width of the edge of a panel, in reduced pixels.
const wall = 2

// withWalls returns the ground without the edges of the panels. A bubble of the color of the gutter hides the edge that it covers, but its
// part inside the panel still ends there. A text across an edge shows that its bubble extends across it, so that panel is left open.
func (f *field) withWalls(ground *bitmap.Bitmap) *bitmap.Bitmap {
	out := bitmap.New(f.window)
	copy(out.Pix, ground.Pix)
	for _, panel := range f.panels {
		if slices.ContainsFunc(f.texts, func(t *text) bool { return t.crosses(panel) }) {
			continue
		}
		inside := panel.Inset(wall)
		for y := max(panel.Min.Y, f.window.Min.Y); y < min(panel.Max.Y, f.window.Max.Y); y++ {
			for x := max(panel.Min.X, f.window.Min.X); x < min(panel.Max.X, f.window.Max.X); x++ {
				if !image.Pt(x, y).In(inside) {
					out.Pix[out.Offset(x, y)] = 0
				}
			}
		}
	}
	return out
}

// crosses reports whether a text is across the edge of a panel. The outermost part of its box does not count.
func (t *text) crosses(panel image.Rectangle) bool {
	core := t.box.Inset(int(min(0.6*t.em, float64(t.box.Dx())/3, float64(t.box.Dy())/3)))
	return core.Overlaps(panel) && !core.In(panel)
}
