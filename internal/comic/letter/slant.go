package letter

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/languages"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

const (
	// A text whose stems lean by less than uprightStems is upright; from mostLean it is not italics but drawn that way, up to mostShear.
	// All are the shift of the top of a line in units of its height: 6, 20 and 56 degrees. leanStep is the distance of those tried.
	uprightStems, mostLean, mostShear, leanStep = 0.1, 0.37, 1.5, 0.04
	// leanGain is the least ratio of the alignment of stems along the lean to that without. looseGain is that ratio for Chinese and
	// Japanese, because kana have slanted strokes, and from mostLean. On hand-lettered pages, upright Latin measures up to 1.04, italics 1.09 and more, and
	// upright kana up to 1.07.
	leanGain, looseGain = 1.06, 1.1
	// leastInk is the least number of ink pixels for a measurement.
	leastInk = 150
)

// measureLean returns how far lettering with the given ink leans to the right against the direction of its lines, in units of its height, -mostShear
// to mostShear; 0 if it is upright or its lean is uncertain. Sheared back by its lean, lettering has its stems in fewer columns.
func measureLean(ink *bitmap.Bitmap, r comic.Region) float64 {
	if r.Direction != comic.Horizontal {
		return 0
	}
	var lines [][]image.Point
	count := 0
	for _, q := range r.Lines {
		points := inkPoints(ink, q, r.Angle)
		lines = append(lines, points)
		count += len(points)
	}
	if count < leastInk {
		return 0
	}
	upright := stems(lines, 0)
	best, lean := upright, 0.0
	for s := -mostShear; s <= mostShear; s += leanStep {
		if e := stems(lines, s); e > best {
			best, lean = e, s
		}
	}
	gain := leanGain
	if languages.IsCJK(r.SourceLang) || math.Abs(lean) >= mostLean {
		gain = looseGain
	}
	if best < gain*upright || math.Abs(lean) < uprightStems || math.Abs(lean) > mostShear-leanStep {
		return 0
	}
	return lean
}

// isItalic reports whether level lettering with that lean is in italics, rather than drawn slanted as sounds are.
func isItalic(r comic.Region, lean float64) bool {
	return r.Angle == 0 && lean > 0 && (lean < mostLean || r.Kind == comic.KindDialogue)
}

// inkPoints returns the pixels of the ink in a line, in the frame of the page turned by degrees.
func inkPoints(ink *bitmap.Bitmap, q raster.Quad, degrees float64) []image.Point {
	f := textarea.TurnedFrame(q[0][0], q[0][1], degrees)
	var out []image.Point
	for local := range raster.Pixels(f.Bounds(q)) {
		if at := f.Page(local); ink.Has(at.X, at.Y) {
			out = append(out, local)
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
		columns = append(columns[:0], make([]float64, box.Dx()+int(math.Abs(lean)*float64(box.Dy()))+3)...)
		from := box.Min.Y
		if lean < 0 {
			from = box.Max.Y
		}
		for _, p := range points {
			columns[p.X-box.Min.X+int(lean*float64(p.Y-from)+0.5)]++
		}
		for _, n := range columns {
			sum += n * n
		}
	}
	return sum
}
