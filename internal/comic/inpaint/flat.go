package inpaint

import (
	"cmp"
	"image"
	"slices"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// Pixels that differ from the ground by more than meetsLevels are lettering, or art that lettering extends into. The mask keeps growth
	// farther than the squared distance besideHole away from art, so such art is beside a stroke.
	meetsLevels = 40
	besideHole  = 4
	// artLevels is the greatest difference between two pixels of art within artReach pixels of each other.
	artLevels = 24
	artReach  = 10
	// A pixel of a hole is on art if a random walk from it ends at art, rather than at ground, with a probability of at least
	// beyondGround. Where both are equally probable, the outline of a bubble would be.
	beyondGround = 0.5
)

// fillFlat paints the hole of the region with its ground, and removes the painted pixels from holes. Where a stroke extends beyond its
// bubble, the pixels on art remain in holes.
func fillFlat(out *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) {
	onArt := artProbability(out, r, holes)
	for i, at := range r.Hole.All() {
		switch {
		case onArt == nil || onArt[3*i] < beyondGround:
			copy(out.Pix[out.PixOffset(at.X, at.Y):], r.Ground[:])
			holes.Pix[holes.Offset(at.X, at.Y)] = 0
		case onArt[3*i] == 1:
			holes.Pix[holes.Offset(at.X, at.Y)] = 0
		}
	}
}

// artProbability returns, in every third value, the probability that a pixel of the region's hole is on art, or nil if the hole touches no
// art. What a hole has of its ground or of the art between the strokes shows where their border is.
func artProbability(page *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) []float32 {
	w, h := r.Hole.Rect.Dx(), r.Hole.Rect.Dy()
	colors, toHole := make([]raster.RGB, w*h), r.Hole.Distance()
	state, probability := make([]crop.State, w*h), make([]float32, 3*w*h)
	beside := bitmap.New(r.Hole.Rect)
	for i, d := range toHole {
		at := r.Hole.Point(i)
		colors[i] = raster.At(page, at.X, at.Y)
		onGround := raster.Difference(colors[i], r.Ground) <= meetsLevels
		switch {
		case d > 0 && (holes.Has(at.X, at.Y) || d > besideHole):
			state[i] = crop.Barred
		case d > 0 && !onGround:
			beside.Pix[i] = 1
		case !onGround:
			state[i] = crop.Hole
		}
	}
	if beside.Count() == 0 {
		return nil
	}
	for i := range artWithin(r, colors, beside).All() {
		state[i], probability[3*i] = crop.Known, 1
	}
	membrane.Solve(w, h, state, probability)
	return probability
}

// artWithin returns the art beside a hole with what has its color in the hole, and is no rim of a stroke: no mixture of the ground and the
// lettering.
func artWithin(r mask.Region, colors []raster.RGB, beside *bitmap.Bitmap) *bitmap.Bitmap {
	lettering, nearest := inkColor(r, colors), beside.NearestWithin(artReach)
	for i := range r.Hole.All() {
		if nearest[i] < 0 || raster.Difference(colors[i], colors[nearest[i]]) > artLevels {
			continue
		}
		if _, off := raster.Blend(colors[i], r.Ground, lettering); off > artLevels {
			beside.Pix[i] = 1
		}
	}
	return beside
}

// inkColor returns the color of the lettering: that of the half of the ink that differs most from the ground, since the rims of strokes are
// between the two.
func inkColor(r mask.Region, colors []raster.RGB) raster.RGB {
	var ink []raster.RGB
	for i, at := range r.Hole.All() {
		if r.Ink.Has(at.X, at.Y) {
			ink = append(ink, colors[i])
		}
	}
	slices.SortStableFunc(ink, func(a, b raster.RGB) int {
		return cmp.Compare(raster.Difference(a, r.Ground), raster.Difference(b, r.Ground))
	})
	median, _ := raster.Median(ink[len(ink)/2:], meetsLevels)
	return median
}
