package engine

import (
	"context"
	"image"
	"slices"

	"golang.org/x/image/draw"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
)

const (
	// remainsShare is the least share of the box of a text in which text is found after erasing, if it was not erased cleanly.
	remainsShare = 0.3
	// mostSeen is the length in pixels to which the longer side of what the detector looks at is reduced. The detector enlarges such a
	// picture twice, to four of its tiles; ghosts are fainter than lettering, and are not seen at a smaller size.
	mostSeen = 400
)

// unclean returns the indices of the sounds and labels over art of which the mask leaves a rest, and of those in which the detector still
// finds text on filled, the page with the holes of the mask filled: glyphs or their outlines were left, or the fill has their shape.
func (e *Engine) unclean(ctx context.Context, filled *image.NRGBA, regions []comic.Region, m *mask.Mask) (list []int, err error) {
	for i, r := range regions {
		if class := m.Regions[i].Class; class == mask.Flat || class == mask.Smooth || !r.Drawn() {
			continue
		}
		if m.Regions[i].Rest {
			list = append(list, r.Index)
			continue
		}
		share, err := e.textIn(ctx, filled, raster.Enclosing(r.Bounds()), int(r.FontSize))
		if err != nil {
			return nil, err
		}
		if share >= remainsShare {
			list = append(list, r.Index)
		}
	}
	return list, nil
}

// textIn returns the share of a box of the page in which the detector finds text. It looks at margin pixels around the box as well.
func (e *Engine) textIn(ctx context.Context, page *image.NRGBA, box image.Rectangle, margin int) (float64, error) {
	view := box.Inset(-margin).Intersect(page.Rect)
	scale := min(1, mostSeen/float64(max(view.Dx(), view.Dy(), 1)))
	small := image.NewNRGBA(raster.Enclosing(0, 0, float64(view.Dx())*scale, float64(view.Dy())*scale))
	draw.BiLinear.Scale(small, small.Rect, page, view, draw.Src, nil)
	lines, err := e.detector.Lines(ctx, small)
	covered := 0
	for _, l := range lines {
		x0, y0, x1, y1 := l.Quad.Bounds()
		shared := raster.Enclosing(x0/scale, y0/scale, x1/scale, y1/scale).Add(view.Min).Intersect(box)
		covered += shared.Dx() * shared.Dy()
	}
	return float64(covered) / float64(max(box.Dx()*box.Dy(), 1)), err
}

// without returns the mask without the regions that have the given indices.
func without(m *mask.Mask, indices []int) *mask.Mask {
	left := *m
	left.Regions = slices.DeleteFunc(slices.Clone(m.Regions), func(r mask.Region) bool { return slices.Contains(indices, r.Index) })
	return &left
}
