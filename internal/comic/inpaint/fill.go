package inpaint

import (
	"context"
	"image"

	"plait/internal/comic/mask"
	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

const (
	// A hole is filled with one color when this share of the pixels around it lies within ringLevels of their median.
	ringShare  = 0.98
	ringLevels = 8
	// ringWidth is how many pixels around a hole are asked.
	ringWidth = 3.0
)

// Fill is a copy of the page with the holes of the mask filled. It fails only when ctx ends.
func Fill(ctx context.Context, img *image.NRGBA, m *mask.Mask) (*image.NRGBA, error) {
	out := image.NewNRGBA(img.Rect)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		copy(out.Pix[out.PixOffset(img.Rect.Min.X, y):], img.Pix[img.PixOffset(img.Rect.Min.X, y):][:4*img.Rect.Dx()])
	}
	holes := m.Merged()
	for _, r := range m.Regions {
		if r.Class == mask.Flat {
			fillFlat(out, r, holes)
		}
	}
	for _, r := range m.Regions {
		if r.Class == mask.Flat {
			continue
		}
		open := bitmap.New(r.Hole.Rect)
		open.Union(r.Hole)
		for i := range open.Pix {
			if p := open.Point(i); !holes.Has(p.X, p.Y) {
				open.Pix[i] = 0 // filled already, as part of a region before
			}
		}
		for _, hole := range open.Components() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			fillHole(out, open, hole, holes, r.Apart)
		}
	}
	return out, ctx.Err()
}

// fillFlat paints the region's hole with its ground, and closes it in holes.
func fillFlat(out *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) {
	for i, p := range r.Hole.Pix {
		if p != 0 {
			at := r.Hole.Point(i)
			setColor(out, at, r.Ground)
			holes.Pix[holes.Offset(at.X, at.Y)] = 0
		}
	}
}

// fillHole fills one connected hole, by one color or by a membrane, and closes it in holes.
// What lies apart is no border of it.
func fillHole(out *image.NRGBA, open *bitmap.Bitmap, hole bitmap.Component, holes, apart *bitmap.Bitmap) {
	around := hole.Bounds.Inset(-int(ringWidth) - 1).Intersect(out.Rect)
	shape := bitmap.New(around)
	for _, i := range hole.Pixels {
		p := open.Point(int(i))
		shape.Add(p.X, p.Y)
	}
	color, agree := ringColor(out, shape, holes)
	if agree >= ringShare {
		for i, p := range shape.Pix {
			if p != 0 {
				setColor(out, shape.Point(i), color)
			}
		}
	} else {
		fillMembrane(out, shape, func(p image.Point) bool {
			return !holes.Has(p.X, p.Y) && (apart == nil || !apart.Has(p.X, p.Y))
		})
	}
	for _, i := range hole.Pixels {
		p := open.Point(int(i))
		holes.Pix[holes.Offset(p.X, p.Y)] = 0
	}
}

// ringColor is the median color of the known pixels around a hole, and the share of them near it; the share is zero when
// nothing is known.
func ringColor(out *image.NRGBA, shape, holes *bitmap.Bitmap) (pipeline.RGB, float64) {
	var ring []pipeline.RGB
	for i, p := range shape.Dilate(ringWidth).Pix {
		at := shape.Point(i)
		if p != 0 && shape.Pix[i] == 0 && !holes.Has(at.X, at.Y) {
			ring = append(ring, colorAt(out, at))
		}
	}
	return mask.Median(ring, ringLevels)
}

func colorAt(img *image.NRGBA, p image.Point) pipeline.RGB {
	i := img.PixOffset(p.X, p.Y)
	return pipeline.RGB{img.Pix[i], img.Pix[i+1], img.Pix[i+2]}
}

// setColor leaves the alpha of the page as it is.
func setColor(img *image.NRGBA, p image.Point, c pipeline.RGB) {
	copy(img.Pix[img.PixOffset(p.X, p.Y):], c[:])
}
