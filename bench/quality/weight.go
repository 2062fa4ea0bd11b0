package main

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

const (
	// sameWeight is the greatest difference of the strokes of lettering from those of its source, as a share.
	sameWeight = 0.15
	// strokeLevels is how much lettering changes a pixel inside a stroke at least. inkShare is the share of such pixels that change no more
	// than full ink does.
	strokeLevels, inkShare = 48, 0.9
	// leastInk is the least number of such pixels for a measurement.
	leastInk = 40
)

// weight returns the ratio of the stroke widths of a lettered text and of its source, each in units of the height of its own letters; 0 if
// it is not known.
func (p *letteredPage) weight(r comic.Region, l letter.Lettered) float64 {
	x0, y0, x1, y1 := r.Bounds()
	box := image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1).Intersect(p.page.Rect)
	height := glyphHeight(inkOf(p.original, p.erased, box), 0)
	had, has := strokeWidth(p.original, p.erased, box), strokeWidth(p.page, p.erased, l.Box)
	if height == 0 || had == 0 || l.Cap == 0 {
		return 0
	}
	return has / l.Cap / (had / height)
}

// strokeWidth returns the mean width of the strokes that a page has in a box, in pixels: twice their area divided by the length of their
// outline. It returns 0 if there are too few.
func strokeWidth(page, bare *image.NRGBA, box image.Rectangle) float64 {
	difference := func(x, y int) float64 {
		if !image.Pt(x, y).In(box) {
			return 0
		}
		return float64(raster.Difference(raster.At(page, x, y), raster.At(bare, x, y)))
	}
	var levels []float64
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if d := difference(x, y); d > strokeLevels {
				levels = append(levels, d)
			}
		}
	}
	if len(levels) < leastInk {
		return 0
	}
	full := quantile(levels, inkShare)
	cover := func(x, y int) float64 { return min(difference(x, y)/full, 1) }
	var area, outline float64
	for y := box.Min.Y - 1; y < box.Max.Y; y++ {
		for x := box.Min.X - 1; x < box.Max.X; x++ {
			a := cover(x, y)
			area += a
			outline += math.Hypot(cover(x+1, y)-a, cover(x, y+1)-a)
		}
	}
	return 2 * area / outline
}
