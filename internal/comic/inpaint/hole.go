package inpaint

import (
	"context"
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/edge"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// A hole is filled with one color when this share of the pixels around it lies within ringLevels of their median,
	// and with a membrane when it lies within ringLevels of a plane.
	ringShare  = 0.98
	ringLevels = 8
	// ringWidth is how many pixels around a hole are asked.
	ringWidth = 3
	// Where at least mostlyFlat of the pixels around a hole agree, a pixel of it has their color when it is farther than
	// farFromOthers from those that do not, and a random walk from it ends at them with less than the chance surelyFlat: a
	// bubble whose outline its lettering touches stays flat, and a line that crosses the hole is left to be continued.
	mostlyFlat, farFromOthers, surelyFlat = 0.7, 12, 0.04
)

// fill is what the page shows of a job, with its holes filled.
func (f Filler) fill(ctx context.Context, page *image.NRGBA, j job, holes *bitmap.Bitmap) (*crop.Crop, error) {
	c := j.cut(page, j.view, holes)
	painted := bitmap.New(j.view)
	if !j.onGround && !j.onTexture {
		wide := j.cut(page, j.holes.Rect.Inset(-edge.Margin).Intersect(page.Rect), holes)
		continued, gutter := edge.Continue(wide)
		painted.Union(continued)
		c.Copy(wide, painted)
		c.Mark(gutter, crop.Barred)
	}
	smooth, art := fillFlatHoles(c, painted)
	if j.onGround {
		smooth.Union(art)
		art = bitmap.New(j.view)
	}
	if smooth.Count() > 0 {
		c.Mark(art, crop.Barred)
		membrane.Fill(c)
		c.Mark(smooth, crop.Known)
		c.Mark(art, crop.Hole)
	}
	if art.Count() == 0 {
		return c, ctx.Err()
	}
	return c, f.Art.Paint(ctx, c)
}

// cut is what the page shows within view; holes of other jobs are barred.
func (j job) cut(page *image.NRGBA, view image.Rectangle, holes *bitmap.Bitmap) *crop.Crop {
	c := crop.Cut(page, view)
	c.Mark(holes, crop.Barred)
	if j.apart != nil {
		c.Mark(j.apart, crop.Barred)
	}
	c.Mark(j.holes, crop.Hole)
	return c
}

// fillFlatHoles fills the holes whose surroundings agree on one color, and what of others is surely of one color; the rest
// it sorts by what surrounds it. What was painted by continuing edges is not asked.
func fillFlatHoles(c *crop.Crop, painted *bitmap.Bitmap) (smooth, art *bitmap.Bitmap) {
	smooth, art = bitmap.New(c.Rect), bitmap.New(c.Rect)
	for _, hole := range c.Set(crop.Hole).Components() {
		r := ringAround(c, hole, painted)
		color, agree := raster.Median(r.colors, ringLevels)
		switch {
		case agree >= ringShare:
			for _, i := range hole.Pixels {
				c.Put(int(i), color)
			}
		case r.isPlane():
			for _, i := range hole.Pixels {
				smooth.Pix[i] = 1
			}
		default:
			var sure []bool
			if agree >= mostlyFlat {
				sure = r.surelyOf(color, c, hole)
			}
			for k, i := range hole.Pixels {
				if sure != nil && sure[k] {
					c.Put(int(i), color)
				} else {
					art.Pix[i] = 1
				}
			}
		}
	}
	return smooth, art
}
