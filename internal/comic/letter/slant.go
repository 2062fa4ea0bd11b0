package letter

import (
	"image"

	"plait/internal/comic"
	"plait/internal/languages"
	"plait/internal/raster"
)

const (
	// uprightStems: the stems of a text that leans by less are upright; by more than mostLean it is not italics but drawn so.
	// Both are the shift of a line's top in units of its height: 6 and 22 degrees.
	uprightStems, mostLean = 0.1, 0.4
	// leanGain is how much better the stems of italics line up along their slant than upright; looseGain that of Chinese
	// and Japanese, where kana have slanted strokes of their own. Measured on hand-lettered
	// pages: upright Latin gains up to 1.04, italics 1.09 and more; upright kana up to 1.07.
	leanGain, looseGain = 1.06, 1.1
	// leastInk is the number of pixels below which stems are not counted.
	leastInk = 150
)

// isSlanted reports whether the lettering that was erased was in italics: sheared back by their slant, its stems stand
// in fewer columns.
func isSlanted(original, erased *image.NRGBA, r comic.Region) bool {
	if r.Direction != comic.Horizontal || r.Angle > uprightAngle || r.Angle < -uprightAngle {
		return false
	}
	var lines [][]image.Point
	ink := 0
	for _, q := range r.Lines {
		points := inkPoints(original, erased, q)
		lines = append(lines, points)
		ink += len(points)
	}
	if ink < leastInk {
		return false
	}
	upright := stems(lines, 0)
	best, lean := upright, 0.0
	for s := 0.04; s <= mostLean; s += 0.04 {
		if e := stems(lines, s); e > best {
			best, lean = e, s
		}
	}
	gain := leanGain
	if languages.IsCJK(r.SourceLang) {
		gain = looseGain
	}
	return lean >= uprightStems && lean < mostLean-0.03 && best >= gain*upright
}

// uprightAngle is the rotation in degrees up to which a text counts as upright.
const uprightAngle = 3

// inkPoints are the pixels in the bounds of q that erasing changed.
func inkPoints(original, erased *image.NRGBA, q raster.Quad) []image.Point {
	x0, y0, x1, y1 := q.Bounds()
	box := image.Rect(int(x0), int(y0), int(x1), int(y1)).Intersect(erased.Rect).Intersect(original.Rect)
	var out []image.Point
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if raster.Difference(raster.At(original, x, y), raster.At(erased, x, y)) > erasedLevels {
				out = append(out, image.Pt(x, y))
			}
		}
	}
	return out
}

// stems is high when the pixels of lines that are sheared by lean stand in few columns: the sum of the squares of the
// columns' pixels.
func stems(lines [][]image.Point, lean float64) float64 {
	var sum float64
	var columns []float64
	for _, points := range lines {
		if len(points) == 0 {
			continue
		}
		box := image.Rectangle{Min: points[0], Max: points[0]}
		for _, p := range points {
			box.Min.X, box.Max.X, box.Max.Y = min(box.Min.X, p.X), max(box.Max.X, p.X), max(box.Max.Y, p.Y)
		}
		columns = append(columns[:0], make([]float64, box.Dx()+int(lean*float64(box.Dy()))+3)...)
		for _, p := range points {
			columns[p.X-box.Min.X+int(lean*float64(p.Y-box.Min.Y)+0.5)]++
		}
		for _, n := range columns {
			sum += n * n
		}
	}
	return sum
}
