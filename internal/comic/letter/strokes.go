package letter

import (
	"cmp"
	"image"
	"math"

	"github.com/go-text/typesetting/font"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/languages"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// blur is what the edges of a stroke add to the square of its measured width, in square pixels: so fonts of 1.4 to 4 pixels measure.
const blur = 0.42

// strokeWidth returns the mean width of the strokes of a coverage, in pixels: twice its area by the length of its outline, 0 without one.
// The length is the total variation of the coverage: blurred edges count in proportion, and a stroke cut by the edge of the picture has no
// edge there. Thin strokes are nowhere covered in full, and would measure wider by what their edges are blurred.
func strokeWidth(cover *image.Alpha) float64 {
	var area, outline float64
	at := func(x, y int) float64 { return float64(cover.AlphaAt(x, y).A) / 255 }
	for p := range raster.Pixels(image.Rectangle{Min: cover.Rect.Min, Max: cover.Rect.Max.Sub(image.Pt(1, 1))}) {
		a := at(p.X, p.Y)
		area += a
		outline += math.Hypot(at(p.X+1, p.Y)-a, at(p.X, p.Y+1)-a)
	}
	if outline == 0 {
		return 0
	}
	width := 2 * area / outline
	return math.Sqrt(max(width*width-blur, 0))
}

// letterHeight returns the height of tall letters across lines that are rotated by degrees, in pixels: of capitals, or of whole
// ideographs. It is the height that tallShare of the ink's connected components do not exceed, by area, because a low letter has less ink
// than a tall one. It returns 0 if there are fewer than least components.
func letterHeight(ink *bitmap.Bitmap, degrees float64, least int) float64 {
	f := textarea.TurnedFrame(raster.Point{}, degrees)
	var parts []raster.Weighted
	for _, c := range ink.Components() {
		top, bottom := math.Inf(1), math.Inf(-1)
		for _, i := range c.Pixels {
			at := ink.Point(int(i))
			y := f.ToLocal(raster.Point{float64(at.X), float64(at.Y)})[1]
			top, bottom = min(top, y), max(bottom, y+1)
		}
		if bottom-top >= leastLetterHeight {
			parts = append(parts, raster.Weighted{Value: bottom - top, Weight: len(c.Pixels)})
		}
	}
	if len(parts) < least {
		return 0
	}
	return raster.Quantile(parts, tallShare)
}

const (
	// leastLetters is the least number of letters, or parts of letters, of a text whose height is known. Lower ones than leastLetterHeight
	// pixels are dots.
	leastLetters, leastLetterHeight = 3, 6
	tallShare                       = 0.85
)

// inkCoverage returns how much of a pixel of color c ink covers, 0 to 255, if the rest is ground; 0 if the two are too alike to measure.
func inkCoverage(c, ground, ink raster.RGB) uint8 {
	if !raster.Distinct(ground, ink) {
		return 0
	}
	part, _ := raster.Blend(c, ground, ink)
	return uint8(255 * min(max(part, 0), 1))
}

// weightSamples are frequent letters of each script, on which the stroke width of a font is measured.
var weightSamples = map[script]string{
	latin: "etaoinsrhldcumfpgwyb", vietnamese: "etaoinsrhldcumfpgwyb", cyrillic: "оеаинтсрвлкмдпуяыбзг", greek: "αοιετσνηυρπκμλωδγχθφ",
	japanese: "いのにはとたかしでな日本人言今見私思何気", hans: "的一是不了人我在有他这个们来到时大地为子", hant: "的一是不了人我在有他這個們來到時大地為子",
	hangul: "가나다이는한을고서의지에로사하기어도", arabic: "بتسمنهليوكرد", hebrew: "אבהלמנשיורתד",
}

// usualStroke is the width of the strokes of dialogue in a script, in units of that in Latin script, for letters of one height: characters of
// many strokes have thinner ones. It is 1 for a script that is not here. Measured on 279 texts of three hand-lettered episodes; on 148 of two
// others the values are 0.96 and 0.76.
var usualStroke = map[script]float64{japanese: 0.95, hans: 0.77, hant: 0.77}

// strokesFrom returns the width of strokes that look as heavy in the script of the target as strokes of width 1 do in a language.
func (t target) strokesFrom(lang string) float64 {
	return cmp.Or(usualStroke[t.script], 1) / cmp.Or(usualStroke[scripts[lang]], 1)
}

// fontStroke returns the stroke width of a font at a size in pixels and the height of its letters, measured on a sample like a source.
func fontStroke(face *font.Face, s script, size float64) (stroke, height float64) {
	var contours []contour
	pen := 0.0 // letters start at every part of a pixel
	for _, r := range weightSamples[s] {
		if id, ok := face.NominalGlyph(r); ok {
			contours = append(contours, glyph{face: face, id: id, scale: 1}.place(textarea.PageFrame(), pen, stagger*pen, form{size: size, narrow: 1})...)
			pen += 1.5 * size
		}
	}
	cover := raster.Coverage(bounds(contours, 1), contours)
	return strokeWidth(cover), letterHeight(inkOf(cover), 0, 1)
}

// stagger is by how much of its distance each letter of a sample is lower than the first.
const stagger = 0.013

// weight is a font, the width of its strokes, and how much each side of strokes is widened, in em.
type weight struct {
	font         *lazyFont
	stroke, bold float64
}

const (
	// alikeWeight is the greatest ratio of the strokes of a font to those of the source, alikeSound for a display font, which may be heavier.
	alikeWeight, alikeSound = 1.05, 1.2
	// mostBold limits how much each side of a stroke is widened, in em, so that counters stay open.
	mostBold = 0.015
)

// chooseWeight returns the font whose strokes, widened as far as needed, are nearest to those of the source; the heaviest of equals. Fonts
// are from light to bold, and strokes up to alike times as wide count as near. wants is the stroke width of the source by the height of its
// letters. Fonts are measured at the cap height of the source in pixels, because thin strokes of small letters measure wider.
func chooseWeight(fonts []*lazyFont, t target, wants, tall, alike float64) (chosen weight, err error) {
	least := math.Inf(1)
	for _, lazy := range fonts {
		f, err := lazy.load()
		if err != nil {
			return weight{}, err
		}
		face := font.NewFace(f)
		size := tall / t.capHeight(face)
		stroke, height := fontStroke(face, t.script, size)
		grown := (wants*height - stroke) / (2 * size * (1 - wants)) // letters grow with their strokes
		bold := min(max(grown, 0), mostBold)
		if off := max((grown-bold)*2*size*(1-wants), stroke-wants*height*alike, 0) / max(height, 1); off <= least {
			least, chosen = off, weight{font: lazy, stroke: stroke / size, bold: bold}
		}
	}
	return chosen, nil
}

const (
	// From mostLean a text is not italics but drawn that way, up to mostShear. Both are the shift of the top of a line in units of its
	// height: 20 and 56 degrees. leanStep is the distance of those tried.
	mostLean, mostShear, leanStep = 0.37, 1.5, 0.04
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
	if best < gain*upright {
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
	f := textarea.TurnedFrame(q[0], degrees)
	var out []image.Point
	for local := range raster.Pixels(f.Bounds(q)) {
		if at := f.Page(local); ink.Has(at.X, at.Y) {
			out = append(out, local)
		}
	}
	return out
}

// stems returns the sum of the squared pixel counts of all columns, with the lines sheared by lean: high if few columns have the pixels.
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
