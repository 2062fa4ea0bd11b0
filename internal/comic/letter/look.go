package letter

import (
	"image"
	"math"
	"slices"
	"strings"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// look is how the lettering of a source was drawn: the colors of its ink and of its outline, called rim. width is the width of the outline
// in units of the height of its lines, or 0 if it has none. stroke is the width of its strokes in units of the height of its letters, or 0 if
// it is not known. lean is its lean, without the lines that are emphasized, and whole with them; see measureLean. height is the height of its
// tall letters across its lines in pixels, or 0 without letters.
type look struct {
	ink, rim                           raster.RGB
	width, stroke, lean, whole, height float64
	// tall is the same without the lines that are emphasized, or 0 for too few letters; see letterHeight. Marks alone have their height.
	tall float64
	// emphasis is the look of the lines that are lettered louder than the others. stroke, lean and tall are those of the others.
	emphasis emphasis
	// shouted says that it is dialogue in plainly wider strokes than that of its page, because it is larger, bolder, or both.
	shouted bool
}

const (
	// A pixel is inside a stroke, of the color of the ink, if erasing changed it by more than inkLevels.
	inkLevels = 48
	// inside is the least ratio of the mean depth of the ink to that of its outline.
	inside = 1.2
	// A pixel belongs to the outline, rather than to a blend of ink and ground, if its color is more than offBlend from all blends, in
	// sRGB, or if its squared distance from the ink is more than blendReach: anti-aliasing does not extend so far.
	offBlend, blendReach = 36, 4
	// An outline is next to at least leastOutline of the border of the letters, and that much of it has one color.
	leastOutline = 0.5
	// taper is the width of exclamation marks at their widest part, which tells how heavy they look, in units of their mean width.
	taper = 1.25
	// leastRim and mostRim limit the width of an outline, in em.
	leastRim, mostRim = 0.05, 0.12
)

// findLook determines the look from the pixels that erasing changed. Those that are no blend of the ink with the ground are an outline.
func findLook(original, erased *image.NRGBA, r comic.Region) look {
	l := look{ink: r.FG}
	x0, y0, x1, y1 := r.Bounds()
	size := sourceSize(r)
	box := image.Rect(int(x0), int(y0), int(x1), int(y1)).Inset(-int(mostRim*size) - 1).Intersect(erased.Rect).Intersect(original.Rect)
	changed := bitmap.Changed(original, erased, box, textarea.ErasedLevels)
	if changed.Count() < leastInk { // the ink has the recognized color of the region
		return l
	}
	l.ink = inkColor(original, erased, changed)
	letters := bitmap.Where(box, func(at image.Point) bool {
		return changed.Has(at.X, at.Y) && raster.Difference(raster.At(original, at.X, at.Y), l.ink) <= inkLevels
	})
	outline, color := l.outlineColor(original, erased, changed, letters)
	inner := deeper(outline, letters)
	if inner {
		letters, outline = outline, letters
	}
	if around, width := outlineOf(letters, outline); letters.Count() >= leastInk && around >= leastOutline {
		l.rim, l.width = color, width/size
		if inner {
			l.ink, l.rim = inkInside(original, letters), l.ink
		}
	}
	covers := lineCovers(original, func(x, y int) raster.RGB { return raster.At(erased, x, y) }, r, l.ink)
	if l.emphasis = lookOfEmphasis(covers, r); len(l.emphasis.lines) > 0 {
		_, covers = divideLines(covers, l.emphasis.lines)
	}
	lettering, marks := inkOf(covers...), strings.Trim(r.Text, "!?！？ ") == "" && len(r.Lines) == 1
	if l.tall = letterHeight(lettering, r.Angle, leastLetters); marks {
		l.tall = float64(lettering.Bounds().Dy()) // with the dots
	}
	if l.tall > 0 {
		l.stroke = medianStroke(covers) / l.tall
	}
	if marks {
		l.stroke *= taper
	}
	l.height = letterHeight(letters, r.Angle, 1)
	ink := letters
	if l.width == 0 { // thin strokes are paler than their ink
		ink = bitmap.Changed(original, erased, box, inkLevels)
	}
	l.whole = measureLean(ink, r)
	if l.lean = l.whole; len(l.emphasis.lines) > 0 {
		l.lean = measureLean(ink, onlyLines(r, l.emphasis.lines, false))
	}
	return l
}

// inkColor returns the median color of the quarter of the lettering that erasing changed most: thin strokes are paler than their ink.
func inkColor(original, erased *image.NRGBA, changed *bitmap.Bitmap) raster.RGB {
	var ink []inkPixel
	for _, at := range changed.All() {
		c := raster.At(original, at.X, at.Y)
		ink = append(ink, inkPixel{raster.Difference(c, raster.At(erased, at.X, at.Y)), c})
	}
	return strongest(ink, len(ink)/4)
}

// inkInside returns the median color of the half of the letters that is farthest from their border: what is nearer blends with the outline.
func inkInside(original *image.NRGBA, letters *bitmap.Bitmap) raster.RGB {
	depth := letters.Complement().Distance()
	var ink []inkPixel
	for i, at := range letters.All() {
		ink = append(ink, inkPixel{int(depth[i]), raster.At(original, at.X, at.Y)})
	}
	return strongest(ink, (len(ink)+1)/2)
}

// outlineColor returns the pixels of the outline and their color. There are none unless leastOutline of them have one color.
func (l look) outlineColor(original, erased *image.NRGBA, changed, letters *bitmap.Bitmap) (*bitmap.Bitmap, raster.RGB) {
	outline := bitmap.New(changed.Rect)
	var colors []raster.RGB
	away := letters.Distance()
	for i, at := range changed.Without(letters).All() {
		c := raster.At(original, at.X, at.Y)
		if _, off := raster.Blend(c, raster.At(erased, at.X, at.Y), l.ink); away[i] > blendReach || off > offBlend {
			outline.Pix[i] = 1
			colors = append(colors, c)
		}
	}
	color, alike := raster.Median(colors, inkLevels)
	if alike < leastOutline {
		return bitmap.New(changed.Rect), color
	}
	return outline, color
}

// deeper reports whether the pixels of a are deeper inside the union of a and b than those of b. It detects light letters with a dark
// outline: on light art, erasing changes the outline most. Areas that the two enclose count as part of the union.
func deeper(a, b *bitmap.Bitmap) bool {
	both := a.Over(a.Rect.Inset(-1))
	both.Union(b)
	outside := bitmap.New(both.Rect)
	outside.Add(both.Rect.Min.X, both.Rect.Min.Y)
	depth := both.Complement().Flood(outside).Distance()
	mean := func(of *bitmap.Bitmap) float64 {
		var sum, n float64
		for _, at := range of.All() {
			sum, n = sum+math.Sqrt(float64(depth[both.Offset(at.X, at.Y)])), n+1
		}
		return sum / max(n, 1)
	}
	return a.Count() >= leastInk && mean(a) > inside*mean(b)
}

// outlineOf returns the share of the border of letters, 0..1, that is next to an outline, and the mean width of the outline in pixels. It
// examines two bands around the letters, because the pixels of the inner one may be blends.
func outlineOf(letters, outline *bitmap.Bitmap) (around, width float64) {
	var near, at [2]float64
	border := 0.0
	for i, d := range letters.Distance() {
		if d == 1 {
			border++
		}
		for k, band := range outlineBands {
			if d > band[0] && d <= band[1] {
				near[k]++
				at[k] += float64(outline.Pix[i])
			}
		}
	}
	for k := range near {
		around = max(around, at[k]/max(near[k], 1))
	}
	return around, float64(outline.Count()) / max(border, 1)
}

// outlineBands are the squared distances from letters (exclusive, inclusive) in which an outline is searched.
var outlineBands = [2][2]int32{{0, 5}, {4, 10}}

// inkPixel is a pixel of lettering, with how much it counts: its difference from the erased page, or its depth.
type inkPixel struct {
	by int
	c  raster.RGB
}

// strongest returns the median color of the n pixels of ink that count most, the first ones of equals. It sorts ink, which has at least n.
func strongest(ink []inkPixel, n int) raster.RGB {
	slices.SortStableFunc(ink, func(a, b inkPixel) int { return b.by - a.by })
	colors := make([]raster.RGB, n)
	for i := range colors {
		colors[i] = ink[i].c
	}
	median, _ := raster.Median(colors, 0)
	return median
}
