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
	// A pixel beside a hole that differs from the ground by more than meetsLevels is art that lettering reaches into: growth stays
	// clear of it.
	meetsLevels = 40
	// strokeRim is how many pixels around a stroke are blended with it, squared. Beyond it the hole has grown over ground alone.
	strokeRim = 4
	// besideStroke is how far, squared, what lies beside a stroke is from it.
	besideStroke = 9
	// beyondGround is the chance, of a random walk from a pixel of a stroke, to end at art rather than at ground from which the
	// pixel lies on art: at even chances the walk is where the outline of a bubble would be.
	beyondGround = 0.5
)

// fillFlat paints the region's hole with its ground, and closes it in holes. Where a stroke reaches beyond its bubble, what lies on
// art stays open.
func fillFlat(out *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) {
	onArt := chancesOfArt(out, r, holes)
	for i, p := range r.Hole.Pix {
		if p != 0 && (onArt == nil || onArt[3*i] < beyondGround) {
			at := r.Hole.Point(i)
			copy(out.Pix[out.PixOffset(at.X, at.Y):], r.Ground[:])
			holes.Pix[holes.Offset(at.X, at.Y)] = 0
		}
	}
}

// chancesOfArt is, in every third value, the chance of each pixel of the region's hole to lie on art, or nil where the hole
// meets none.
func chancesOfArt(page *image.NRGBA, r mask.Region, holes *bitmap.Bitmap) []float32 {
	w, h := r.Hole.Rect.Dx(), r.Hole.Rect.Dy()
	state, chance := make([]crop.State, w*h), make([]float32, 3*w*h)
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
				chance[3*i], meets = 1, true
			}
		}
	}
	if !meets {
		return nil
	}
	membrane.Solve(w, h, state, chance)
	return chance
}
