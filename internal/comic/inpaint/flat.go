package inpaint

import (
	"image"

	"plait/internal/comic/inpaint/crop"
	"plait/internal/comic/inpaint/membrane"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// Pixels beside a hole that differ from the ground by more than meetsLevels are art that lettering extends into: the mask keeps growth
	// away from such art.
	meetsLevels = 40
	// strokeRim is the squared width in pixels of the anti-aliased rim of a stroke. Beyond it the hole has grown over ground only.
	strokeRim = 4
	// besideStroke is the greatest squared distance of the surroundings of a stroke.
	besideStroke = 9
	// A pixel of a stroke is on art if a random walk from it ends at art, rather than at ground, with a probability of at least
	// beyondGround. Where both are equally probable, the outline of a bubble would be.
	beyondGround = 0.5
)

// fillFlat paints the hole of the region with its ground, and removes the painted pixels from holes. Where a stroke extends beyond its
// bubble, the pixels on art remain in holes.
func fillFlat(out *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) {
	onArt := artProbability(out, r, holes)
	for i, p := range r.Hole.Pix {
		if p != 0 && (onArt == nil || onArt[3*i] < beyondGround) {
			at := r.Hole.Point(i)
			copy(out.Pix[out.PixOffset(at.X, at.Y):], r.Ground[:])
			holes.Pix[holes.Offset(at.X, at.Y)] = 0
		}
	}
}

// artProbability returns, in every third value, the probability that a pixel of the region's hole is on art, or nil if the hole touches no
// art.
func artProbability(page *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) []float32 {
	w, h := r.Hole.Rect.Dx(), r.Hole.Rect.Dy()
	state, probability := make([]crop.State, w*h), make([]float32, 3*w*h)
	meets := false
	toInk := r.Ink.Distance()
	for i := range state {
		at := r.Hole.Point(i)
		switch {
		case r.Hole.Pix[i] != 0 && toInk[i] <= strokeRim:
			state[i] = crop.Hole
		case r.Hole.Pix[i] != 0:
			state[i] = crop.Known
		case holes.Has(at.X, at.Y) || toInk[i] > besideStroke:
			state[i] = crop.Barred
		default:
			state[i] = crop.Known
			p := page.Pix[page.PixOffset(at.X, at.Y):]
			if raster.Difference(raster.RGB{p[0], p[1], p[2]}, r.Ground) > meetsLevels {
				probability[3*i], meets = 1, true
			}
		}
	}
	if !meets {
		return nil
	}
	membrane.Solve(w, h, state, probability)
	return probability
}
