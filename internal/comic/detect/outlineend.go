package detect

import (
	"image"
	"math"

	"plait/internal/raster"
)

// How the end of an outline is told.
const (
	// widestOutline is how wide an outline is at most, in widths of the stroke that it is drawn around.
	widestOutline = 1.25
	// Beyond an outline, endedShare of what lies as far from the stroke is lighter than it by beyondOutline.
	beyondOutline, endedShare = 24, 0.5
)

// Ends reports whether a line holds lettering whose outline has an end, for most of its pieces. Around white letters on black it
// is black all the way: their strokes look the same, and they are not drawn with an outline.
func (o *Outlined) Ends(q raster.Quad) bool {
	if !o.Holds(q) {
		return false
	}
	all, ended := 0.0, 0.0
	for _, p := range o.pieces {
		if p.standsIn(q) {
			all += p.size()
			if p.ended {
				ended += p.size()
			}
		}
	}
	return ended > all/2
}

// isEnded reports whether the outline around a piece has an end: within its reach lies a ring that is lighter than what is next to
// the stroke. Other strokes have no say.
func (o *Outlined) isEnded(img *image.NRGBA, p outlinedPiece) bool {
	reach := int(math.Ceil(max(ringTo+2, 2*p.half*widestOutline)))
	piece := p.bitmap(reach + 1)
	outline, width := 0, 0
	lighter, ring := make([]int, reach+1), make([]int, reach+1)
	distances := piece.Distance()
	for i, d := range distances {
		if at := piece.Point(i); float64(d) > ringFrom*ringFrom && d <= ringTo*ringTo && isDark(img, at.X, at.Y) {
			outline, width = outline+lightness(img, at), width+1
		}
	}
	for i, d := range distances {
		at := piece.Point(i)
		if d <= ringTo*ringTo || int(d) > reach*reach || !at.In(img.Rect) || o.isStroke(at) {
			continue
		}
		k := int(math.Sqrt(float64(d)))
		ring[k]++
		if (lightness(img, at)-beyondOutline)*width >= outline {
			lighter[k]++
		}
	}
	for k, n := range ring {
		if n > 0 && float64(lighter[k]) >= endedShare*float64(n) {
			return true
		}
	}
	return false
}

// isStroke reports whether a pixel or one beside it is of the lettering.
func (o *Outlined) isStroke(at image.Point) bool {
	for y := max(at.Y-1, 0); y <= min(at.Y+1, o.Image.Rect.Dy()-1); y++ {
		for x := max(at.X-1, 0); x <= min(at.X+1, o.Image.Rect.Dx()-1); x++ {
			if o.Image.Pix[y*o.Image.Stride+4*x] == 0 {
				return true
			}
		}
	}
	return false
}

// lightness is that of a pixel, 0..255.
func lightness(img *image.NRGBA, at image.Point) int {
	c := raster.At(img, at.X, at.Y)
	return int(max(c[0], c[1], c[2]))
}
