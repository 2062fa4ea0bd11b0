package main

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/raster"
)

const (
	// sameWeight is the greatest difference of the strokes of lettering from those that it is compared with, as a share.
	sameWeight = 0.15
	// strokeLevels is how much lettering changes a pixel inside a stroke at least. inkShare is the share of such pixels that change no more
	// than full ink does.
	strokeLevels, inkShare = 48, 0.9
	// leastInk is the least number of such pixels for a measurement.
	leastInk = 40
)

// weight returns the ratio of the stroke widths of a lettered text and of the same text as a person lettered it, each in units of the height
// of its own letters; 0 if it is not known. Without that person's page, it is the ratio to the strokes of the source.
func (p *letteredPage) weight(r comic.Region, l letter.Lettered) float64 {
	wants := p.strokes[r.Index]
	if p.strokes == nil {
		x0, y0, x1, y1 := r.Bounds()
		wants = strokeInHeights(p.original, p.erased, box{x0, y0, x1, y1})
	}
	has := strokeWidth(p.page, p.erased, l.Box)
	if wants == 0 || l.Cap == 0 {
		return 0
	}
	return has / l.Cap / wants
}

// setStrokes measures the strokes of the blocks of p.human on the page that a person lettered; bare is that page without its text.
func (p *letteredPage) setStrokes(page, bare *image.NRGBA) {
	p.strokes = map[int]float64{}
	for index, blocks := range p.human {
		for _, b := range blocks {
			p.strokes[index] = max(p.strokes[index], strokeInHeights(page, bare, b.Box))
		}
	}
}

// strokeInHeights returns the width of the strokes in a box in units of the height of their letters; 0 if it is not known.
func strokeInHeights(page, bare *image.NRGBA, b box) float64 {
	in := image.Rect(int(b[0]), int(b[1]), int(b[2])+1, int(b[3])+1).Intersect(page.Rect)
	height := glyphHeight(inkOf(page, bare, in), 0)
	if height == 0 {
		return 0
	}
	return strokeWidth(page, bare, in) / height
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
