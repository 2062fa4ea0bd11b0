package regions

import (
	"image"
	"math"

	"plait/internal/pipeline"
)

const (
	// flatShare is the least share of a flat surrounding.
	flatShare = 0.8
	// rays is how many directions are looked into for the end of the flat area.
	rays = 32
	// boundedShare is the least share of rays that meet an end. Bubbles open to a neighbor, to the gutter or to the edge
	// of the page, so that not all do.
	boundedShare = 0.6
)

// kindOf tells dialogue, which stands in a bubble or a caption, from free text: what lies around dialogue is flat
// and has an end.
func kindOf(img *image.NRGBA, r pipeline.Region) pipeline.RegionKind {
	page := image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy())
	x0, y0, x1, y1 := r.Bounds()
	box := image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1))).Intersect(page)
	ring := max(2, int(r.FontSize/8)) // narrower than the margin that bubbles leave
	outer := box.Inset(-ring).Intersect(page)
	if box.Empty() || flatAround(img, outer, box, r.BG) < flatShare || !bounded(img, outer, r.BG) {
		return pipeline.KindFree
	}
	return pipeline.KindDialogue
}

// flatAround is the share of pixels of outer, without inner, that are nearly of the color around.
func flatAround(img *image.NRGBA, outer, inner image.Rectangle, around pipeline.RGB) float64 {
	near, total := 0, 0
	for y := outer.Min.Y; y < outer.Max.Y; y++ {
		for x := outer.Min.X; x < outer.Max.X; x++ {
			if image.Pt(x, y).In(inner) {
				continue
			}
			total++
			if colorDistance(colorAt(img, x, y), around) < standsOut {
				near++
			}
		}
	}
	return float64(near) / float64(max(total, 1))
}

// bounded reports whether the flat area around box has an end near by: most rays from the middle meet another color within
// the length of the box's diagonal beyond its edge.
func bounded(img *image.NRGBA, box image.Rectangle, around pipeline.RGB) bool {
	x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	halfWidth, halfHeight := float64(box.Dx())/2, float64(box.Dy())/2
	reach := math.Hypot(float64(box.Dx()), float64(box.Dy()))
	ended := 0
	for i := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / rays)
		edge := min(halfWidth/math.Max(math.Abs(cos), 1e-9), halfHeight/math.Max(math.Abs(sin), 1e-9))
		if endsWithin(img, x+edge*cos, y+edge*sin, cos, sin, reach, around) {
			ended++
		}
	}
	return float64(ended) >= boundedShare*rays
}

// endsWithin walks from x, y in a direction and reports whether it meets another color than around within reach.
func endsWithin(img *image.NRGBA, x, y, dx, dy, reach float64, around pipeline.RGB) bool {
	for walked := 0.0; walked < reach; walked++ {
		px, py := int(math.Floor(x+walked*dx)), int(math.Floor(y+walked*dy))
		if px < 0 || py < 0 || px >= img.Rect.Dx() || py >= img.Rect.Dy() {
			return false
		}
		if colorDistance(colorAt(img, px, py), around) >= standsOut {
			return true
		}
	}
	return false
}
