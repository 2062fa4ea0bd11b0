package regions

import (
	"image"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
)

const (
	// flatShare is the least share of a flat surrounding. whiteShare is the same for white paper with text that was read with confidence:
	// lettering may cross the outline of its bubble, and no art is that white.
	flatShare, whiteShare = 0.75, 0.55
	// white is the least channel of white paper.
	white = 235
	// rays is the number of directions in which the end of the flat area is searched.
	rays = 32
	// boundedShare is the least share of rays that meet an end. Not all do, because bubbles are open to a neighbor, to the gutter or to
	// the edge of the page. openShare is the least share if all other rays leave the page.
	boundedShare, openShare = 0.6, 0.4
)

// inBubble reports whether a region is dialogue, in a bubble or a caption, rather than free text: the area around dialogue is flat and
// bounded. A bubble at the edge of the page may be open there, but paper in a margin, with a title on it, is no bubble.
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

// flatAround is the share of pixels within a ring around the lines of a region that are close to the color around.
func flatAround(img *image.NRGBA, r comic.Region, ring float64) float64 {
	near, total := 0, 0
	for _, q := range r.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for y := max(0, int(y0-ring)); y < min(img.Rect.Dy(), int(math.Ceil(y1+ring))); y++ {
			lettered := crossings(r.Lines, float64(y)+0.5)
			for x := max(0, int(x0-ring)); x < min(img.Rect.Dx(), int(math.Ceil(x1+ring))); x++ {
				center := float64(x) + 0.5
				if slices.ContainsFunc(lettered, func(i [2]float64) bool { return center >= i[0] && center <= i[1] }) {
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

// crossings are the intervals in which the horizontal at y crosses quads.
func crossings(quads []raster.Quad, y float64) [][2]float64 {
	var all [][2]float64
	for _, q := range quads {
		if from, to := crossing(q, y); from <= to {
			all = append(all, [2]float64{from, to})
		}
	}
	return all
}

// lookAround casts rays from the middle of a box to find the end of the flat area around it, as far as the length of the box's diagonal
// beyond its edge. It counts the rays that meet another color, and those that leave the page.
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

// walk is the result of following a ray over a flat area: it met another color, left the page, or reached its end.
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
