package inpaint

import (
	"context"
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/comic/inpaint/repeat"
	"plait/internal/raster/bitmap"
)

const (
	// A hole is filled with a membrane if ringShare of the pixels around it are within ringLevels of a plane.
	ringShare  = 0.98
	ringLevels = 8
	// ringWidth is the width in pixels of the surroundings of a hole that are examined.
	ringWidth = 3
)

// fill returns the crop of a job with its holes filled.
func (f Filler) fill(ctx context.Context, page *image.NRGBA, j job, holes *bitmap.Bitmap) (*crop.Crop, error) {
	c := j.cut(page, j.view, holes)
	smooth, art := bySurroundings(c)
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
	if j.onTexture {
		repeat.Fill(c)
	}
	if c.Set(crop.Hole).Count() == 0 {
		return c, ctx.Err()
	}
	return c, f.Art.Paint(ctx, c)
}

// cut returns the crop of the page within view. The holes of other jobs are barred.
func (j job) cut(page *image.NRGBA, view image.Rectangle, holes *bitmap.Bitmap) *crop.Crop {
	c := crop.Cut(page, view)
	c.Mark(holes, crop.Barred)
	if j.apart != nil {
		c.Mark(j.apart, crop.Barred)
	}
	c.Mark(j.holes, crop.Hole)
	return c
}

// bySurroundings divides the holes into those in smooth surroundings, which change evenly if at all, and those in art.
func bySurroundings(c *crop.Crop) (smooth, art *bitmap.Bitmap) {
	smooth, art = bitmap.New(c.Rect), bitmap.New(c.Rect)
	for _, hole := range c.Set(crop.Hole).Components() {
		to := art
		if ringAround(c, hole).isPlane() {
			to = smooth
		}
		for _, i := range hole.Pixels {
			to.Pix[i] = 1
		}
	}
	return smooth, art
}
