// Package repeat continues what repeats itself around a hole, in phase: screentones, hatching, and parallel lines.
//
// The surroundings of the holes are compared with themselves, shifted by each offset in reach. Offsets at which they nearly match are those of
// the lattice of a tone, or run along its lines. Every pixel of the hole becomes the known pixel at the best of these offsets that leads out
// of the hole (He and Sun, Statistics of Patch Offsets for Image Completion, 2012, without their blending: offsets of one lattice agree).
package repeat

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/raster/bitmap"
)

const (
	// Surroundings are what is remains to around pixels away from a hole: directly beside it may be remains of lettering.
	remains, around = 2, 16
	// mostSamples limits how many pixels of the surroundings are compared. At least half of them must be known at an offset.
	mostSamples = 800
	// shortest and farthest are the least and the greatest length of an offset along an axis, in pixels. A shorter offset does not move
	// even fine dots.
	shortest, farthest = 4, 96
	// alike is the greatest mean squared difference at an offset, as a share of the variance of the surroundings. It is 2 where nothing
	// repeats.
	alike = 0.25
)

// offset is a vector at which the surroundings of a hole repeat, and how well.
type offset struct {
	by  image.Point
	off float64
}

// Fill paints the components of the hole of c if their surroundings repeat, and makes them known. It searches the offsets once for all of them.
func Fill(c *crop.Crop) {
	luma := make([]float32, len(c.Hole.Pix))
	for i := range luma {
		luma[i] = c.Color(i).Luma()
	}
	by := offsets(c, luma, surroundings(c))
	for _, part := range c.Hole.Components() {
		if from := sources(c, part, by); from != nil {
			for k, i := range part.Pixels {
				copy(c.Pix[4*i:], c.Pix[4*from[k]:][:4])
				c.Hole.Pix[i] = 0
			}
		}
	}
}

// surroundings returns known pixels around the hole, at most mostSamples of them.
func surroundings(c *crop.Crop) []int32 {
	var all []int32
	for i, d := range c.Hole.Distance() {
		if d > remains*remains && d <= around*around && c.Known(i) {
			all = append(all, int32(i))
		}
	}
	step := len(all)/mostSamples + 1
	some := all[:0]
	for i := 0; i < len(all); i += step {
		some = append(some, all[i])
	}
	return some
}

// offsets returns the offsets at which the surroundings are alike, the best first.
func offsets(c *crop.Crop, luma []float32, samples []int32) []offset {
	limit := alike * variance(luma, samples)
	var list []offset
	for y := -farthest; y <= farthest; y++ {
		for x := -farthest; x <= farthest; x++ {
			if max(x, -x, y, -y) < shortest {
				continue
			}
			if off := difference(c, luma, samples, x, y, limit); off <= limit {
				list = append(list, offset{image.Pt(x, y), off})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b offset) int { return cmp.Compare(a.off, b.off) })
	return list
}

func variance(luma []float32, samples []int32) float64 {
	var sum, squares float64
	for _, i := range samples {
		sum, squares = sum+float64(luma[i]), squares+float64(luma[i])*float64(luma[i])
	}
	n := max(1, float64(len(samples)))
	return squares/n - sum/n*sum/n
}

// difference returns the mean squared difference between the surroundings and themselves at an offset, or infinity if it exceeds limit or
// fewer than half of them are known there.
func difference(c *crop.Crop, luma []float32, samples []int32, dx, dy int, limit float64) float64 {
	w, h := c.Width(), c.Height()
	sum, n := 0.0, 0
	for _, i := range samples {
		x, y := int(i)%w+dx, int(i)/w+dy
		if x < 0 || y < 0 || x >= w || y >= h || !c.Known(y*w+x) {
			continue
		}
		d := float64(luma[i] - luma[y*w+x])
		sum += d * d
		if n++; sum > limit*float64(len(samples)) {
			return math.Inf(1)
		}
	}
	if 2*n < len(samples) {
		return math.Inf(1)
	}
	return sum / float64(n)
}

// sources returns the known pixel that each pixel of a hole repeats, or nil if one of them has none.
func sources(c *crop.Crop, hole bitmap.Component, by []offset) []int32 {
	w, h := c.Width(), c.Height()
	from := make([]int32, len(hole.Pixels))
	for k, i := range hole.Pixels {
		found := slices.IndexFunc(by, func(o offset) bool {
			x, y := int(i)%w+o.by.X, int(i)/w+o.by.Y
			return x >= 0 && y >= 0 && x < w && y < h && c.Known(y*w+x)
		})
		if found < 0 {
			return nil
		}
		from[k] = i + int32(by[found].by.Y*w+by[found].by.X)
	}
	return from
}
