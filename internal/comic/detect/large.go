package detect

import (
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
		return thickness(l.Quad)*coarse >= hugeLeast && l.Score < hugeScore && sharedWith(l.Quad, whole) < largeFound
	})
	for _, large := range whole {
		size := thickness(large.Quad)
		if size*coarse < largeLeast || length(large.Quad) < diamondRatio*size {
			continue
		}
		pieces := 0
		onlyPieces := true
		for _, l := range lines {
			if inside(l.Quad, large.Quad) < largeInside {
				continue
			}
			pieces++
			onlyPieces = onlyPieces && length(l.Quad) < 2*size && thickness(l.Quad) >= largePiece*size
		}
		switch {
		case pieces == 0 && large.Score >= largeScore && sharedWith(large.Quad, lines) < largeFound:
			lines = append(lines, large)
		case pieces > 1 && onlyPieces && size*coarse >= largeJoined:
			lines = slices.DeleteFunc(lines, func(l Line) bool { return inside(l.Quad, large.Quad) >= largeInside })
			lines = append(lines, large)
		}
	}
	return lines
}

// sides are the lengths of the upper and the left side.
func sides(q raster.Quad) (upper, left float64) {
	at := func(i int) vector { return vector{q[i][0], q[i][1]} }
	return at(1).sub(at(0)).length(), at(3).sub(at(0)).length()
}

func thickness(q raster.Quad) float64 { return min(sides(q)) }

func length(q raster.Quad) float64 { return max(sides(q)) }

// inside is the share of q that lies in another quad, 0..1, estimated on a grid of points.
func inside(q, other raster.Quad) float64 {
	return shareOf(q, func(p vector) bool { return inAny(p, []raster.Quad{other}) })
}

// sharedWith is the share of q that lies in any of the lines.
func sharedWith(q raster.Quad, lines []Line) float64 {
	return shareOf(q, func(p vector) bool {
		return slices.ContainsFunc(lines, func(l Line) bool { return inAny(p, []raster.Quad{l.Quad}) })
	})
}

// shareOf is the share of a grid of points inside q for which has is true.
func shareOf(q raster.Quad, has func(vector) bool) float64 {
	const steps = 8
	at := func(i int) vector { return vector{q[i][0], q[i][1]} }
	right, down := at(1).sub(at(0)), at(3).sub(at(0))
	n := 0
	for i := range steps {
		for k := range steps {
			if has(at(0).add(right.times((float64(i) + 0.5) / steps)).add(down.times((float64(k) + 0.5) / steps))) {
				n++
			}
		}
	}
	return float64(n) / (steps * steps)
}
