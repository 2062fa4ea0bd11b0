package regions

import (
	"image"
	"math"
	"slices"
	"unicode"

	"plait/internal/raster"
)

const (
	// countedLetters is the number of letters from which the strokes of a line are counted.
	countedLetters = 4
	// leastStrokes is the least number of strokes a letter, where most are crossed: each has one or more, but neighbors may touch.
	leastStrokes = 0.5
	// scans is how many times a line is crossed from its beginning to its end, at even distances.
	scans = 9
	// entered and left are the shares of ink from which a stroke is entered, and below which it is left.
	entered, left = 0.65, 0.35
)

// withoutInvented are lines, those that have fewer strokes than letters as nothing that was read with confidence: a stroke of art
// is read as some letters, with doubt.
func withoutInvented(img *image.NRGBA, lines []Line) []Line {
	all := slices.Clone(lines)
	for i, l := range all {
		if !l.Unread && l.Prob >= leastProb && l.Prob < sureProb && lacksStrokes(img, l) {
			all[i].Prob = 0
		}
	}
	return all
}

// lacksStrokes reports whether a line has fewer strokes than its letters need, of scripts whose letters all have upright ones.
func lacksStrokes(img *image.NRGBA, l Line) bool {
	letters := 0
	for _, c := range l.Text {
		if unicode.In(c, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
			letters++
		}
	}
	return letters >= countedLetters && float64(crossed(img, l)) < leastStrokes*float64(letters)
}

// crossed is how many strokes a way along the line crosses at most.
func crossed(img *image.NRGBA, l Line) int {
	colors := measure(img, []Line{l})
	contrast := max(raster.Distance(colors.glyphs, colors.around), 1)
	ink := func(x, y int) float64 {
		x, y = min(max(x, 0), img.Rect.Dx()-1), min(max(y, 0), img.Rect.Dy()-1)
		return raster.Distance(raster.At(img, x, y), colors.around) / contrast
	}
	along, across := l.Quad[1], l.Quad[3]
	if l.Vertical {
		along, across = across, along
	}
	most := 0
	for k := range scans {
		v := (float64(k) + 0.5) / scans
		most = max(most, strokesFrom(between(l.Quad[0], across, v), between(along, l.Quad[2], v), ink))
	}
	return most
}

// strokesFrom is how many strokes the straight way between two points crosses. It takes clear ink to enter one, and clear
// ground to leave it: the steps of an edge that the way runs along are no strokes.
func strokesFrom(from, to raster.Point, ink func(x, y int) float64) int {
	n, inside := 0, false
	steps := int(distance(from, to)) + 1
	for i := range steps {
		p := between(from, to, (float64(i)+0.5)/float64(steps))
		switch covered := bilinear(p, ink); {
		case !inside && covered > entered:
			n, inside = n+1, true
		case inside && covered < left:
			inside = false
		}
	}
	return n
}

// bilinear is the value at a point between the centers of four pixels.
func bilinear(p raster.Point, value func(x, y int) float64) float64 {
	x, y := math.Floor(p[0]-0.5), math.Floor(p[1]-0.5)
	u, v := p[0]-0.5-x, p[1]-0.5-y
	i, j := int(x), int(y)
	return (1-v)*((1-u)*value(i, j)+u*value(i+1, j)) + v*((1-u)*value(i, j+1)+u*value(i+1, j+1))
}

// between is the point at a share of the way from a to b.
func between(a, b raster.Point, share float64) raster.Point {
	return raster.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
}
