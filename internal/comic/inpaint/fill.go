// Package inpaint fills the holes that erased lettering leaves on a page. [Filler.Fill] takes the page and the mask of package mask, and
// returns a copy of the page. It does not draw the translation; package letter does.
//
// The method depends on the class of background that the mask found:
//
//   - A hole on a flat ground gets its color.
//   - On a ground that changes slowly, a membrane (harmonic interpolation) continues it and adds no texture.
//   - A texture that repeats itself is copied in phase.
//   - Everything else is art, painted from examples or by a model.
//
// Packages:
//
//	crop       the part of a page that a fill works on
//	membrane   the smoothest surface through the border of a hole
//	repeat     textures that repeat themselves
//	exemplar   texture and structure copied from the rest of the crop
//	neural     ONNX models
//
// Nothing outside the mask changes. The same input gives the same bytes on any number of threads: the hole of each region is painted from the
// page alone.
package inpaint

import (
	"context"
	"image"

	"golang.org/x/sync/errgroup"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/exemplar"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/comic/inpaint/repeat"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// Painter paints holes in art: it sets the colors of the hole of a crop, and may use the known pixels.
type Painter interface {
	// Margin returns how many pixels around a hole the painter needs.
	Margin() int
	// Paint must give the same colors for the same crop. Several goroutines may call it at once.
	Paint(ctx context.Context, c *crop.Crop) error
}

// Filler fills holes. The zero value fills one hole at a time, and holes in art by exemplar.
type Filler struct {
	// Workers is how many holes are filled at once; less than 1 counts as 1. The result does not depend on it.
	Workers int
	// Art paints the holes in art. If it is nil, package exemplar does.
	Art Painter
}

// Fill returns a copy of the page with the holes of the mask filled. It fails if ctx ends or Art fails.
func (f Filler) Fill(ctx context.Context, img *image.NRGBA, m *mask.Mask) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := raster.Clone(img)
	holes := m.Merged()
	for _, r := range m.Regions {
		if r.Class == mask.Flat {
			fillFlat(out, r, holes)
		}
	}
	if f.Art == nil {
		f.Art = exemplar.Painter{}
	}
	jobs := divide(m, holes)
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(max(f.Workers, 1))
	filled := make([]*crop.Crop, len(jobs))
	for i, j := range jobs {
		group.Go(func() (err error) {
			filled[i], err = f.fill(groupCtx, out, j, holes)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, c := range filled {
		c.Paste(out, jobs[i].hole)
	}
	return out, nil
}

// job is the open hole of a region.
type job struct {
	mask.Region
	hole *bitmap.Bitmap
}

// fillFlat paints the hole of the region with its ground, and removes the painted pixels from holes. Where a stroke extends beyond its
// bubble, the pixels that are nearer to art, or to other lettering, than to the ground remain in holes.
func fillFlat(out *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) {
	known := bitmap.Where(r.Hole.Rect, func(at image.Point) bool { return !holes.Has(at.X, at.Y) })
	nearest := known.NearestWithin(r.Hole.Rect.Dx() + r.Hole.Rect.Dy())
	for i, at := range r.Hole.All() {
		if nearest[i] >= 0 {
			near := known.Point(int(nearest[i]))
			if raster.Difference(raster.At(out, near.X, near.Y), r.Ground) > mask.ColorLevels {
				continue
			}
		}
		copy(out.Pix[out.PixOffset(at.X, at.Y):], r.Ground[:])
		holes.Pix[holes.Offset(at.X, at.Y)] = 0
	}
}

// divide groups the open holes into jobs that share no pixel: the hole of each region, or, on a flat ground, the part of it that extends
// into art.
func divide(m *mask.Mask, holes *bitmap.Bitmap) []job {
	var jobs []job
	open := holes.Over(m.Bounds)
	for _, class := range []mask.Class{mask.Smooth, mask.Flat, mask.Art, mask.Texture} {
		for _, r := range m.Regions {
			if r.Class != class {
				continue
			}
			if own := take(open, r.Hole); own != nil {
				jobs = append(jobs, job{r, own})
			}
		}
	}
	return jobs
}

// take moves the pixels of set from open into a new bitmap of their bounding box. It returns nil if there are none.
func take(open, set *bitmap.Bitmap) *bitmap.Bitmap {
	taken := set.Over(set.Rect.Intersect(open.Rect))
	for i, at := range taken.All() {
		o := open.Offset(at.X, at.Y)
		taken.Pix[i], open.Pix[o] = open.Pix[o], 0
	}
	if bounds := taken.Bounds(); !bounds.Empty() {
		return taken.Over(bounds)
	}
	return nil
}

// fill returns the crop of a job with its hole filled. The holes of other jobs are barred, and what does not continue behind the hole.
func (f Filler) fill(ctx context.Context, page *image.NRGBA, j job, holes *bitmap.Bitmap) (*crop.Crop, error) {
	c := crop.Cut(page, j.hole.Rect.Inset(-f.Art.Margin()).Intersect(page.Rect))
	c.Hole.Union(j.hole)
	c.Barred.Union(holes)
	if j.Class == mask.Smooth && j.Apart != nil {
		c.Barred.Union(j.Apart)
	}
	c.Barred = c.Barred.Without(c.Hole)
	switch j.Class {
	case mask.Smooth:
		membrane.Fill(c)
		return c, ctx.Err()
	case mask.Texture:
		repeat.Fill(c)
	case mask.Art, mask.Flat:
	}
	if c.Hole.Count() == 0 {
		return c, ctx.Err()
	}
	return c, f.Art.Paint(ctx, c)
}
