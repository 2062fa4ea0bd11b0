package letter

import (
	"image"

	"plait/internal/comic"
	"plait/internal/languages"
	"plait/internal/raster"
)

const (
	// A text whose stems lean by less than uprightStems is upright; above mostLean it is not italics but drawn that way. Both are the
	// shift of the top of a line in units of its height: 6 and 22 degrees.
	uprightStems, mostLean = 0.1, 0.4
	// leanGain is the least ratio of the alignment of stems along the lean to that without. looseGain is that ratio for Chinese and
	// Japanese, because kana have slanted strokes. On hand-lettered pages, upright Latin measures up to 1.04, italics 1.09 and more, and
	// upright kana up to 1.07.
	leanGain, looseGain = 1.06, 1.1
	// leastInk is the least number of ink pixels for a measurement.
	leastInk = 150
)

// isSlanted reports whether the erased lettering was in italics: if it is sheared back by its lean, its stems are in fewer columns.
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

// uprightAngle is the greatest rotation of an upright text, in degrees.
const uprightAngle = 3

// inkPoints returns the pixels in the bounding box of q that erasing changed.
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

// stems returns the sum of the squared pixel counts of all columns, after shearing the lines by lean. It is high if the pixels are in few
// columns.
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
