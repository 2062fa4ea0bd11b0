package detect

import (
	"slices"

	"plait/internal/raster"
)

// How the lines of a page seen whole, at a fraction of its size, complete those of its tiles.
const (
	// largeLeast is the least height in pixels, as the page is seen whole, of a line that the look is for: that of dialogue.
	// The pieces of one are whole lines up to largeJoined.
	largeLeast, largeJoined = 12, 18
	// largeScore is the least score of one that only this look found. Shapes of art that pass are not read.
	largeScore = 0.5
	// hugeLeast is the height from which tiles are not believed alone, for a tile shows little around such a line, unless
	// they are as sure as hugeScore.
	hugeLeast, hugeScore = 30, 0.7
	// largeFound is the share of a large line from which tiles have found it.
	largeFound = 0.3
	// largeInside is the share of a line that lies in a large one when it is a piece of that: a single character of it,
	// at least largePiece as thick.
	largeInside, largePiece = 0.6, 0.5
)

// withLarge adds to the lines of tiles those of a look at the whole page, at coarse times its size, that only that look
// found: drawn sound effects and shouts larger than what the model sees in a tile. Where tiles found such lettering in
// pieces, a character each, the whole line takes their place.
func withLarge(lines, whole []Line, coarse float64) []Line {
	lines = slices.DeleteFunc(lines, func(l Line) bool {
		return thickness(l.Quad)*coarse >= hugeLeast && l.Score < hugeScore && sharedWith(l.Quad, whole) < largeFound
	})
	for _, large := range whole {
		size := thickness(large.Quad)
		if size*coarse < largeLeast {
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

// sides are the length of the upper and of the left side.
func sides(q raster.Quad) (upper, left float64) {
	at := func(i int) vector { return vector{q[i][0], q[i][1]} }
	return at(1).sub(at(0)).length(), at(3).sub(at(0)).length()
}

func thickness(q raster.Quad) float64 { return min(sides(q)) }

func length(q raster.Quad) float64 { return max(sides(q)) }

// inside is the share of q that lies in another quad, 0..1, by a grid of points.
func inside(q, other raster.Quad) float64 {
	return shareOf(q, func(p vector) bool { return inAny(p, []raster.Quad{other}) })
}

// sharedWith is the share of q that lies in any of the lines.
func sharedWith(q raster.Quad, lines []Line) float64 {
	return shareOf(q, func(p vector) bool {
		return slices.ContainsFunc(lines, func(l Line) bool { return inAny(p, []raster.Quad{l.Quad}) })
	})
}

// shareOf is the share of a grid of points inside q that have a property.
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
