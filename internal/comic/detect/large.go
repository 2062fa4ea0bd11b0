package detect

import (
	"image"
	"slices"

	"plait/internal/raster"
)

// Limits for merging the lines found on the whole reduced page with those found in tiles. Heights are in pixels of the reduced page.
const (
	// largeLeast is the least height of a line that is taken from the reduced page: that of dialogue. A line of at least largeJoined also
	// replaces its pieces; the pieces of a smaller one are whole lines.
	largeLeast, largeJoined = 14, 21
	// largeScore is the least score of a line found only on the reduced page. Lower scores admit shapes of art that cannot be read.
	largeScore = 0.5
	// hugeLeast is the height from which a line found only in tiles needs a score of hugeScore, because a tile shows little around it.
	hugeLeast, hugeScore = 35, 0.7
	// largeFound is the share of a large line that tiles must cover for it to count as found by them.
	largeFound = 0.3
	// largeInside is the least share of a line that lies in a large line when it is a piece of it. A piece is a single character, at least
	// largePiece times as thick as the large line.
	largeInside, largePiece = 0.6, 0.5
)

// withLarge adds to the lines found in tiles those found only on the whole page reduced by the factor coarse: drawn sound effects and
// shouts larger than what the model sees in a tile. Where tiles found such lettering in pieces of a character each, the whole line
// replaces them. A single character found only there is left out: marks of art, such as windows, resemble it.
func withLarge(lines, whole []Line, coarse float64) []Line {
	lines = slices.DeleteFunc(lines, func(l Line) bool {
		return thickness(l.Quad)*coarse >= hugeLeast && l.Score < hugeScore && inside(l.Quad, whole...) < largeFound
	})
	for _, large := range whole {
		size := thickness(large.Quad)
		if size*coarse < largeLeast || length(large.Quad) < diamondRatio*size {
			continue
		}
		pieces := 0
		onlyPieces := true
		for _, l := range lines {
			if inside(l.Quad, large) < largeInside {
				continue
			}
			pieces++
			onlyPieces = onlyPieces && length(l.Quad) < 2*size && thickness(l.Quad) >= largePiece*size
		}
		switch {
		case pieces == 0 && large.Score >= largeScore && inside(large.Quad, lines...) < largeFound:
			lines = append(lines, large)
		case pieces > 1 && onlyPieces && size*coarse >= largeJoined:
			lines = slices.DeleteFunc(lines, func(l Line) bool { return inside(l.Quad, large) >= largeInside })
			lines = append(lines, large)
		}
	}
	return lines
}

func thickness(q raster.Quad) float64 { return min(q.Sides()) }

func length(q raster.Quad) float64 { return max(q.Sides()) }

// inside is the share of q that lies in any of the lines, 0..1, estimated on a grid of points.
func inside(q raster.Quad, lines ...Line) float64 {
	const steps = 8
	right, down := q[1].Sub(q[0]).Times(1.0/steps), q[3].Sub(q[0]).Times(1.0/steps)
	n := 0
	for at := range raster.Pixels(image.Rect(0, 0, steps, steps)) {
		p := q[0].Add(right.Times(float64(at.X) + 0.5)).Add(down.Times(float64(at.Y) + 0.5))
		if slices.ContainsFunc(lines, func(l Line) bool { return l.Quad.Contains(p) }) {
			n++
		}
	}
	return float64(n) / (steps * steps)
}
