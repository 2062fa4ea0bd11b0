package engine

import (
	"context"
	"image"
	"image/draw"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/comic/detect"
	"plait/internal/comic/regions"
	"plait/internal/raster"
)

// leastAround is how much of the page around a rectangle the detector sees at least, in pixels: it was trained on whole pages, and misses
// text that fills its picture.
const leastAround = 64

// ReadArea reads the text in a rectangle of the page, in which Detect has found none, as one region without an index. from is the language of
// the page, or auto. Where no line is found, the rectangle is read as one line; where nothing is read with confidence, the region is
// unread. It fails with CodeDevice, and when ctx ends.
func (e *Engine) ReadArea(ctx context.Context, c *Context, area comic.Area, from string) (comic.Region, error) {
	page := c.picture.Image
	found, err := e.linesIn(ctx, page, area)
	if err != nil {
		return comic.Region{}, err
	}
	said, err := e.read(ctx, page, found, from)
	if err != nil {
		return comic.Region{}, err
	}
	region := regions.Whole(said)
	region.TargetLang = c.language
	return region, nil
}

// linesIn finds the lines whose middle is in the area. Without one, the area is the line.
func (e *Engine) linesIn(ctx context.Context, page *image.NRGBA, area comic.Area) ([]detect.Line, error) {
	inside := image.Rect(int(area[0]), int(area[1]), int(math.Ceil(area[2])), int(math.Ceil(area[3]))).Intersect(page.Rect)
	seen := inside.Inset(-max(leastAround, inside.Dx()/2, inside.Dy()/2)).Intersect(page.Rect)
	// The detector takes pictures whose corner is the origin.
	part := image.NewNRGBA(image.Rectangle{Max: seen.Size()})
	draw.Draw(part, part.Rect, page, seen.Min, draw.Src)
	found, err := e.detector.Lines(ctx, part)
	if err != nil {
		return nil, err
	}
	corner := raster.Point{float64(seen.Min.X), float64(seen.Min.Y)}
	for i := range found {
		found[i].Quad = found[i].Quad.Mapped(corner.Add)
	}
	found = slices.DeleteFunc(found, func(l detect.Line) bool { return !area.Quad().Contains(l.Quad.Middle()) })
	if len(found) == 0 {
		found = []detect.Line{{Quad: area.Quad()}}
	}
	return found, nil
}
