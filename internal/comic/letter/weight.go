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

// leastStrokeContrast is the difference of ink and ground, in levels, from which the width of strokes can be measured.
const leastStrokeContrast = 60

// strokeWidth is the mean width of the strokes of a coverage, in pixels: twice its area over the length of its outline, which is the
// total variation of the coverage. Edges that are blurred or antialiased count by their part, and where the picture cuts a stroke is no
// edge. It is 0 for an empty coverage.
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

// sourceStroke is the width of the strokes of a region's lettering in units of the height of its lines; 0 where it cannot be told.
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

// inkCoverage is how much of a pixel of color c ink covers over a ground, 0 to 255.
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

// median of values, the lower one of two; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}

// weightSamples are usual letters of each script, of which the strokes of a font are measured.
var weightSamples = map[script]string{
	latin: "aeinorstdul", vietnamese: "aeinorstdul", cyrillic: "аеинорствлк", greek: "αεινορστλκπ", japanese: "あいのにはとた日本人言",
	hans: "的一是不人我在有", hant: "的一是不人我在有", hangul: "가나다이는한을", arabic: "بتسمنهل", hebrew: "אבהלמנש",
}

// fontStroke is the width of the strokes of a font at a size in pixels, measured like those of a source.
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

// weight is a font, and how much wider each side of its strokes is drawn, in em.
type weight struct {
	font *lazyFont
	bold float64
}

const (
	// alikeWeight is the ratio up to which the strokes of a font are not too wide for a source, and alikeSound that for a sound, whose display
	// font may be heavier.
	alikeWeight, alikeSound = 1.05, 1.5
	// mostBold is how much wider each side of a stroke may be drawn, in em, before counters close.
	mostBold = 0.015
)

// sourceWeight is what the weight of a text follows: the strokes of its source in units of height, the height of its lines in pixels, and how
// much larger than its source the text is set.
type sourceWeight struct{ stroke, height, scale float64 }

// chooseWeight returns the heaviest of the fonts, from light to bold, whose strokes are wider than those of the source by no more than alike,
// and what is left to draw. Where the strokes of the source are not known, it returns the font in the middle.
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
