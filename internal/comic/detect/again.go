package detect

import (
	"context"
	"image"
	"slices"

	"plait/internal/raster"
)

// Part says whether a rectangle of a page, in pixels, belongs to a part of it.
type Part func(x0, y0, x1, y1 float64) bool

func everywhere(_, _, _, _ float64) bool { return true }

// LinesIn finds the lines in a part of img, as [Detector.Lines] does.
func (d *Detector) LinesIn(ctx context.Context, img *image.NRGBA, part Part) ([]Line, error) {
	bounds := img.Bounds()
	lines, err := d.look(ctx, img, d.params.scale(bounds.Dx(), bounds.Dy()), part)
	if err != nil {
		return nil, err
	}
	lines = slices.DeleteFunc(lines, func(l Line) bool { return !part(l.Quad.Bounds()) })
	return d.fitted(img, lines), nil
}

// Quads are the outlines of lines.
func Quads(lines []Line) []raster.Quad {
	quads := make([]raster.Quad, len(lines))
	for i, l := range lines {
		quads[i] = l.Quad
	}
	return quads
}
