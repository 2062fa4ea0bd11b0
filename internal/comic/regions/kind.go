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
)

// inBubble reports whether a region is dialogue, in a bubble or a caption, rather than free text: the area around dialogue is flat.
func inBubble(img *image.NRGBA, r comic.Region) bool {
	flat := flatAround(img, r, max(2, r.FontSize/8)) // narrower than the margin that bubbles leave
	onWhite := min(r.BG[0], r.BG[1], r.BG[2]) >= white && r.Prob >= sureProb && !r.Unread
	return flat >= flatShare || onWhite && flat >= whiteShare
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
