package detect

import (
	"image"
	"slices"

	"plait/internal/raster"
)

// Limits for merging the lines found on the whole reduced page with those found in tiles. Heights are in pixels of the reduced page.
const (
	// hugeLeast is the height from which a line found only in tiles needs the score of a single character, because a tile shows little
	// around it.
	hugeLeast = 35
	// largeFound is the share of a line that lies in others if these are the same lettering.
	largeFound = 0.3
)

// withLarge adds to the lines found in tiles those found only on the whole page reduced by the factor coarse: drawn sound effects and
// shouts larger than what the model sees in a tile. A single character found only there is left out: marks of art, such as windows,
// resemble it.
func withLarge(lines, whole []Line, coarse float64) []Line {
	lines = slices.DeleteFunc(lines, func(l Line) bool {
		return min(l.Quad.Sides())*coarse >= hugeLeast && l.Score < singleScore && inside(l.Quad, whole...) < largeFound
	})
	for _, large := range whole {
		size := min(large.Quad.Sides())
		if size*coarse >= settledHeight && max(large.Quad.Sides()) >= singleRatio*size && inside(large.Quad, lines...) < largeFound &&
			!slices.ContainsFunc(lines, func(l Line) bool { return inside(l.Quad, large) >= largeFound }) {
			lines = append(lines, large)
		}
	}
	return lines
}

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
