package letter

import (
	"image"
	"math"
	"slices"

	"github.com/go-text/typesetting/font"

	"plait/internal/comic"
	"plait/internal/comic/textarea"
	"plait/internal/raster"
)

// leastStrokeContrast is the least difference of ink and ground, in levels, at which the width of strokes can be measured.
const leastStrokeContrast = 60

// strokeWidth returns the mean width of the strokes of a coverage, in pixels: twice its area divided by the length of its outline. The
// length is the total variation of the coverage, so blurred and anti-aliased edges count in proportion, and a stroke cut by the edge of
// the picture has no edge there. It returns 0 for an empty coverage.
func strokeWidth(cover *image.Alpha) float64 {
	var area, outline float64
	at := func(x, y int) float64 { return float64(cover.AlphaAt(x, y).A) / 255 }
	for y := cover.Rect.Min.Y; y < cover.Rect.Max.Y-1; y++ {
		for x := cover.Rect.Min.X; x < cover.Rect.Max.X-1; x++ {
			a := at(x, y)
			area += a
			outline += math.Hypot(at(x+1, y)-a, at(x, y+1)-a)
		}
	}
	if outline == 0 {
		return 0
	}
	return 2 * area / outline
}

// sourceStroke returns the stroke width of a region's lettering in units of the height of its lines, or 0 if it cannot be measured.
func sourceStroke(original, erased *image.NRGBA, r comic.Region, ink raster.RGB) float64 {
	var widths []float64
	for _, line := range r.Lines {
		x0, y0, x1, y1 := line.Bounds()
		box := image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1).Intersect(erased.Rect).Intersect(original.Rect)
		cover := image.NewAlpha(box)
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				cover.Pix[cover.PixOffset(x, y)] = inkCoverage(raster.At(original, x, y), raster.At(erased, x, y), ink)
			}
		}
		if width := strokeWidth(cover); width > 0 {
			widths = append(widths, width/sourceSize(r))
		}
	}
	return median(widths)
}

// inkCoverage returns how much of a pixel of color c ink covers, 0 to 255, if the rest is ground.
func inkCoverage(c, ground, ink raster.RGB) uint8 {
	var along, length float64
	for k := range c {
		d := float64(ink[k]) - float64(ground[k])
		along, length = along+d*(float64(c[k])-float64(ground[k])), length+d*d
	}
	if length < leastStrokeContrast*leastStrokeContrast {
		return 0
	}
	return uint8(255 * min(max(along/length, 0), 1))
}

// median returns the median of values, the lower of two middle ones; 0 without values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// weightSamples are frequent letters of each script, on which the stroke width of a font is measured.
var weightSamples = map[script]string{
	latin: "aeinorstdul", vietnamese: "aeinorstdul", cyrillic: "аеинорствлк", greek: "αεινορστλκπ", japanese: "あいのにはとた日本人言",
	hans: "的一是不人我在有", hant: "的一是不人我在有", hangul: "가나다이는한을", arabic: "بتسمنهل", hebrew: "אבהלמנש",
}

// fontStroke returns the stroke width of a font at a size, in pixels. It is measured like that of a source.
func fontStroke(f *font.Font, s script, size float64) float64 {
	face := font.NewFace(f)
	var contours []contour
	pen := 0.0
	for _, r := range weightSamples[s] {
		if id, ok := face.NominalGlyph(r); ok {
			contours = append(contours, glyph{face: face, id: id}.place(textarea.PageFrame(), pen, 0, form{size: size, narrow: 1})...)
			pen += 1.5 * size
		}
	}
	box := bounds(contours, 1)
	var b brush
	b.clear(box)
	b.fill(box, contours)
	return strokeWidth(&b.cover)
}

// weight is a font, and how much each side of its strokes is widened, in em.
type weight struct {
	font *lazyFont
	bold float64
}

const (
	// alikeWeight is the greatest ratio of the stroke width of a font to that of the source, and alikeSound that for a sound effect, whose
	// display font may be heavier.
	alikeWeight, alikeSound = 1.05, 1.5
	// mostBold limits how much each side of a stroke is widened, in em, so that counters stay open.
	mostBold = 0.015
)

// sourceWeight describes the weight of a source: the width of its strokes in units of its line height, the height of its lines in pixels, and
// the ratio of the size that its translation is set at to its own.
type sourceWeight struct{ stroke, height, scale float64 }

// chooseWeight returns the heaviest of the fonts, from light to bold, whose strokes are at most alike times as wide as those of the source, and
// how much its strokes are to be widened. If the stroke width of the source is not known, it returns the middle font.
func (p Params) chooseWeight(fonts []*lazyFont, t target, from sourceWeight, alike float64) (weight, error) {
	if len(fonts) == 1 {
		return weight{font: fonts[0]}, nil
	}
	if from.stroke == 0 {
		return weight{font: usual(fonts)}, nil
	}
	chosen := weight{font: fonts[0]}
	for _, lazy := range fonts {
		f, err := lazy.load()
		if err != nil {
			return weight{}, err
		}
		size := from.scale * p.natural(t, from.height) / ideographCap
		if !t.square() {
			size = from.scale * p.natural(t, from.height) / capHeight(font.NewFace(f))
		}
		has, wants := fontStroke(f, t.script, size), from.stroke*from.height
		if has > wants*alike {
			break
		}
		chosen = weight{font: lazy, bold: min(max((wants-has)/(2*size), 0), mostBold)}
	}
	return chosen, nil
}
