package regions

import (
	"image"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
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
	lettered := bitmap.New(raster.Enclosing(r.Bounds()).Intersect(img.Rect))
	for _, q := range r.Lines {
		for row := range q.Rows(lettered.Rect) {
			for at := range raster.Pixels(row) {
				lettered.Add(at.X, at.Y)
			}
		}
	}
	near, total := 0, 0
	for _, q := range r.Lines {
		x0, y0, x1, y1 := q.Bounds()
		for at := range raster.Pixels(raster.Enclosing(x0-ring, y0-ring, x1+ring, y1+ring).Intersect(img.Rect)) {
			if lettered.Has(at.X, at.Y) {
				continue
			}
			total++
			if !raster.Distinct(raster.At(img, at.X, at.Y), r.BG) {
				near++
			}
		}
	}
	return float64(near) / float64(max(total, 1))
}
