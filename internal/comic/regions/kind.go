package regions

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/raster"
)

const (
	// flatShare is the least share of a flat surrounding. Of white paper with text that was read with confidence less is
	// enough, since lettering may cross the outline of its bubble: there is no art that is as white.
	flatShare, whiteShare = 0.75, 0.55
	// white is the least channel of white paper.
	white = 235
	// rays is how many directions are looked into for the end of the flat area.
	rays = 32
	// boundedShare is the least share of rays that meet an end. Bubbles open to a neighbor, to the gutter or to the edge
	// of the page, so that not all do; openShare is the least share where all others leave the page.
	boundedShare, openShare = 0.6, 0.4
)

// inBubble tells dialogue, which stands in a bubble or a caption, from free text: what lies around dialogue is flat and
// has an end. A bubble at the edge of the page may be open there; paper in a margin, with a title on it, is no bubble.
func (b builder) inBubble(r comic.Region) bool {
	ring := max(2, r.FontSize/8) // narrower than the margin that bubbles leave
	flat := flatAround(b.img, r, ring)
	onWhite := min(r.BG[0], r.BG[1], r.BG[2]) >= white && r.Prob >= sureProb && !r.Unread
	if flat < flatShare && (!onWhite || flat < whiteShare) {
		return false
	}
	x0, y0, x1, y1 := r.Bounds()
	outer := image.Rect(int(x0-ring), int(y0-ring), int(math.Ceil(x1+ring)), int(math.Ceil(y1+ring)))
	ended, left := b.lookAround(outer.Intersect(image.Rect(0, 0, b.img.Rect.Dx(), b.img.Rect.Dy())), r.BG)
	if float64(ended) >= boundedShare*rays {
		return true
	}
	return float64(ended) >= openShare*rays && float64(ended+left) >= 0.9*rays && !b.layout.OnPaper(x0, y0, x1, y1)
}

// flatAround is the share of pixels within a ring around the lines of a region that are nearly of the color around.
func flatAround(img *image.NRGBA, r comic.Region, ring float64) float64 {
	near, total := 0, 0
	for _, q := range r.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for y := max(0, int(y0-ring)); y < min(img.Rect.Dy(), int(math.Ceil(y1+ring))); y++ {
			for x := max(0, int(x0-ring)); x < min(img.Rect.Dx(), int(math.Ceil(x1+ring))); x++ {
				if inLine(r, float64(x)+0.5, float64(y)+0.5) {
					continue
				}
				total++
				if !raster.Distinct(raster.At(img, x, y), r.BG) {
					near++
				}
			}
		}
	}
	return float64(near) / float64(max(total, 1))
}

func inLine(r comic.Region, x, y float64) bool {
	for _, q := range r.Lines {
		if from, to := crossing(q, y); x >= from && x <= to {
			return true
		}
	}
	return false
}

// lookAround looks from the middle of a box for the end of the flat area around it, within the length of the box's
// diagonal beyond its edge: how many rays meet another color, and how many leave the page.
func (b builder) lookAround(box image.Rectangle, around raster.RGB) (ended, left int) {
	x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	halfWidth, halfHeight := float64(box.Dx())/2, float64(box.Dy())/2
	reach := math.Hypot(float64(box.Dx()), float64(box.Dy()))
	for i := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / rays)
		edge := min(halfWidth/math.Max(math.Abs(cos), 1e-9), halfHeight/math.Max(math.Abs(sin), 1e-9))
		switch b.walk(x+edge*cos, y+edge*sin, cos, sin, reach, around) {
		case walkEnded:
			ended++
		case walkLeft:
			left++
		case walkOn:
		}
	}
	return ended, left
}

// walk is how a walk over a flat area went: it met another color, left the page, or neither within its reach.
type walk int

const (
	walkOn walk = iota
	walkEnded
	walkLeft
)

func (b builder) walk(x, y, dx, dy, reach float64, around raster.RGB) walk {
	for walked := 0.0; walked < reach; walked++ {
		px, py := int(math.Floor(x+walked*dx)), int(math.Floor(y+walked*dy))
		if px < 0 || py < 0 || px >= b.img.Rect.Dx() || py >= b.img.Rect.Dy() {
			return walkLeft
		}
		if raster.Distinct(raster.At(b.img, px, py), around) {
			return walkEnded
		}
	}
	return walkOn
}
