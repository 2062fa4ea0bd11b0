package letter

import (
	"image"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// emphasis is how the lines of a source that are lettered louder than its other lines look.
type emphasis struct {
	// lines are the indices of the lines of the region that are emphasized.
	lines []int
	// scale is the height of their letters in units of that of the other lines. lean is their lean; see measureLean.
	scale, lean float64
}

const (
	// mostScale limits how much larger emphasized text is set than the text around it.
	mostScale = 1.3
	// leastGround is the least share of the ground in a line whose strokes are compared: over art it is lower.
	leastGround = 0.5
)

// Emphasized returns the indices of the lines of a region that are lettered louder than its other lines, on a page with its lettering.
func Emphasized(page *image.NRGBA, r comic.Region) (lines []int) {
	if r.Kind != comic.KindDialogue || len(r.Lines) < 2 || len(r.Lines) != len(r.Texts) {
		return nil
	}
	covers := lineCovers(page, func(int, int) raster.RGB { return r.BG }, r, r.FG)
	return boldLines(covers, func(i int) bool {
		ground := shareOf(covers[i].Rect, func(x, y int) bool {
			at := image.Pt(x, y)
			return at.In(page.Rect) && raster.Difference(raster.At(page, x, y), r.BG) <= textarea.ErasedLevels
		})
		return ground >= leastGround && strings.ContainsFunc(r.Texts[i], comic.Lettered)
	})
}

// boldLines returns the lines with bold strokes if others are regular: strokes differ less between lines of one weight than heights of letters
// do. Lines that are not measurable are left out.
func boldLines(covers []*image.Alpha, measurable func(line int) bool) (lines []int) {
	strokes := make([]float64, len(covers)) // 0 is not known
	for i, cover := range covers {
		if letterHeight(inkOf(cover), 0, leastLetters) > 0 && measurable(i) {
			strokes[i] = strokeWidth(cover)
		}
	}
	usual := plainStroke(strokes)
	for i, stroke := range strokes {
		if stroke >= boldStroke*usual && stroke > 0 {
			lines = append(lines, i)
		}
	}
	return lines
}

// lookOfEmphasis measures the lines of a region that are emphasized, and the others, by the strokes of its lines without the art around.
func lookOfEmphasis(covers []*image.Alpha, r comic.Region) emphasis {
	if r.Kind != comic.KindDialogue {
		return emphasis{}
	}
	lines := boldLines(covers, func(int) bool { return true })
	if len(lines) == 0 {
		return emphasis{}
	}
	bold, rest := divideLines(covers, lines)
	e := emphasis{lines: lines, scale: 1, lean: measureLean(inkOf(bold...), onlyLines(r, lines, true))}
	tall, low := letterHeight(inkOf(bold...), 0, leastLetters), letterHeight(inkOf(rest...), 0, leastLetters)
	if tall > 0 && low > 0 {
		e.scale = min(max(tall/low, 1), mostScale)
	}
	return e
}

// plainStroke is the median of the known stroke widths that are not bold beside the thinnest one.
func plainStroke(strokes []float64) float64 {
	known := slices.DeleteFunc(slices.Sorted(slices.Values(strokes)), func(s float64) bool { return s == 0 })
	return raster.LowerMedian(slices.DeleteFunc(known, func(s float64) bool { return s >= boldStroke*known[0] }))
}

// divideLines divides values by lines.
func divideLines[T any](values []T, lines []int) (in, out []T) {
	for i, v := range values {
		if slices.Contains(lines, i) {
			in = append(in, v)
		} else {
			out = append(out, v)
		}
	}
	return in, out
}

// onlyLines returns the region with only those of its lines that are emphasized, or that are not.
func onlyLines(r comic.Region, lines []int, emphasized bool) comic.Region {
	if len(lines) == 0 {
		return r
	}
	in, out := divideLines(r.Lines, lines)
	if r.Lines = out; emphasized {
		r.Lines = in
	}
	return r
}

// inkOf returns the pixels that are covered for the most part.
func inkOf(covers ...*image.Alpha) *bitmap.Bitmap {
	var box image.Rectangle
	for _, c := range covers {
		box = box.Union(c.Rect)
	}
	ink := bitmap.New(box)
	for _, c := range covers {
		for at := range raster.Pixels(c.Rect) {
			if c.AlphaAt(at.X, at.Y).A >= 128 {
				ink.Add(at.X, at.Y)
			}
		}
	}
	return ink
}

// lineCovers returns how much of each pixel in the lines of a region its ink covers.
func lineCovers(page *image.NRGBA, ground func(x, y int) raster.RGB, r comic.Region, ink raster.RGB) []*image.Alpha {
	covers := make([]*image.Alpha, len(r.Lines))
	for i, line := range r.Lines {
		x0, y0, x1, y1 := line.Bounds()
		box := image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1).Intersect(page.Rect)
		covers[i] = image.NewAlpha(box)
		for at := range raster.Pixels(box) {
			covers[i].Pix[covers[i].PixOffset(at.X, at.Y)] = inkCoverage(raster.At(page, at.X, at.Y), ground(at.X, at.Y), ink)
		}
	}
	return covers
}

// medianStroke returns the median of the stroke widths of coverages, in pixels; 0 if none has strokes.
func medianStroke(covers []*image.Alpha) float64 {
	var widths []float64
	for _, cover := range covers {
		if width := strokeWidth(cover); width > 0 {
			widths = append(widths, width)
		}
	}
	return raster.LowerMedian(widths)
}
