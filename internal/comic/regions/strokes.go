package regions

import (
	"image"
	"math"
	"slices"
	"unicode"

	"plait/internal/raster"
)

const (
	// countedLetters is the least number of letters of a line in which strokes are counted.
	countedLetters = 4
	// leastStrokes is the least number of strokes for each letter, on the scan that crosses most: each letter has one or more, but
	// neighbors may touch.
	leastStrokes = 0.5
	// scans is the number of scan lines along a line of text, at equal distances.
	scans = 9
	// entered and left are the two thresholds of ink, as a share: a stroke begins above the first and ends below the second.
	entered, left = 0.65, 0.35
)

// withoutInvented removes the confidence of lines with fewer strokes than letters: a stroke of art is read, with doubt, as some letters.
func withoutInvented(img *image.NRGBA, lines []Line) []Line {
	all := slices.Clone(lines)
	for i, l := range all {
		if !l.Unread && l.Prob >= leastProb && l.Prob < sureProb && lacksStrokes(img, l) {
			all[i].Prob = 0
		}
	}
	return all
}

// lacksStrokes reports whether a line has fewer strokes than its letters need. It counts only scripts in which every letter has an upright
// stroke.
func lacksStrokes(img *image.NRGBA, l Line) bool {
	letters := 0
	for _, c := range l.Text {
		if unicode.In(c, unicode.Latin, unicode.Cyrillic, unicode.Greek) {
			letters++
		}
	}
	return letters >= countedLetters && float64(crossed(img, l)) < leastStrokes*float64(letters)
}

// crossed is the greatest number of strokes that a scan along the line crosses.
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

// strokesFrom counts the strokes between two points. The two thresholds avoid counting the stair steps of an edge along the scan as
// strokes.
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

// bilinear interpolates the value at a point between the centers of four pixels.
func bilinear(p raster.Point, value func(x, y int) float64) float64 {
	x, y := math.Floor(p[0]-0.5), math.Floor(p[1]-0.5)
	u, v := p[0]-0.5-x, p[1]-0.5-y
	i, j := int(x), int(y)
	return (1-v)*((1-u)*value(i, j)+u*value(i+1, j)) + v*((1-u)*value(i, j+1)+u*value(i+1, j+1))
}

// between is the point at a share of the distance from a to b.
func between(a, b raster.Point, share float64) raster.Point {
	return raster.Point{a[0] + share*(b[0]-a[0]), a[1] + share*(b[1]-a[1])}
}
