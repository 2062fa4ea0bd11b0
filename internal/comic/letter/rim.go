package letter

import (
	"image"
	"math"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// look is how the lettering of a source was drawn: its color, and that of its outline, whose width is in units of the height of its
// lines and 0 where there is none. stroke is the width of its strokes in the same units, 0 where it cannot be told.
type look struct {
	ink, rim      raster.RGB
	width, stroke float64
}

const (
	// changedLevels: a pixel that erasing changed by so much was lettering; inkLevels: it is of the ink's color.
	changedLevels, inkLevels = 24, 48
	// offBlend is how far, in sRGB, a color is from all blends of the ink with the ground that is neither's.
	offBlend = 36
	// An outline is around most of a letter (leastAround of it), and mostly of one color (leastAlike).
	leastAround, leastAlike = 0.5, 0.5
	// inside is how much deeper than the other color that of the letters lies.
	inside = 1.2
	// leastRim and mostRim bound the width of an outline, in em.
	leastRim, mostRim = 0.05, 0.12
)

// findLook looks at what erasing took away. What is neither of the ink's color nor a blend of it with the ground is an outline.
func findLook(original, erased *image.NRGBA, r comic.Region) look {
	l := look{ink: inkColor(original, erased, r)}
	x0, y0, x1, y1 := r.Bounds()
	size := sourceSize(r)
	box := image.Rect(int(x0), int(y0), int(x1), int(y1)).Inset(-int(mostRim*size) - 1).Intersect(erased.Rect).Intersect(original.Rect)
	if box.Empty() {
		return l
	}
	letters, outline := bitmap.New(box), bitmap.New(box)
	var colors []raster.RGB
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c, ground := raster.At(original, x, y), raster.At(erased, x, y)
			switch {
			case raster.Difference(c, ground) <= changedLevels:
			case raster.Difference(c, l.ink) <= inkLevels:
				letters.Add(x, y)
			case fromBlends(c, l.ink, ground) > offBlend:
				outline.Add(x, y)
				colors = append(colors, c)
			}
		}
	}
	color, alike := raster.Median(colors, inkLevels)
	if alike < leastAlike || letters.Count() < leastInk {
		return l
	}
	if deeper(outline, letters) {
		l.ink, color = color, l.ink
		letters, outline = outline, letters
	}
	if around, width := outlineOf(letters, outline); around >= leastAround {
		l.rim, l.width = color, width/size
	}
	return l
}

// fromBlends is the distance of a color from the nearest blend of two others, in sRGB.
func fromBlends(c, a, b raster.RGB) float64 {
	var along, length float64
	for k := range c {
		d := float64(b[k]) - float64(a[k])
		along, length = along+d*(float64(c[k])-float64(a[k])), length+d*d
	}
	part := 0.0
	if length > 0 {
		part = min(max(along/length, 0), 1)
	}
	var sum float64
	for k := range c {
		d := float64(c[k]) - float64(a[k]) - part*(float64(b[k])-float64(a[k]))
		sum += d * d
	}
	return math.Sqrt(sum)
}

// deeper reports whether the pixels of a lie deeper in what a and b make together than those of b: light letters with a dark outline
// differ from light art by their outline most.
func deeper(a, b *bitmap.Bitmap) bool {
	both := bitmap.New(a.Rect.Inset(-1))
	both.Union(a)
	both.Union(b)
	depth := both.Complement().Distance()
	mean := func(of *bitmap.Bitmap) float64 {
		var sum, n float64
		for i, p := range of.Pix {
			if p != 0 {
				at := of.Point(i)
				sum, n = sum+math.Sqrt(float64(depth[both.Offset(at.X, at.Y)])), n+1
			}
		}
		return sum / max(n, 1)
	}
	return a.Count() >= leastInk && mean(a) > inside*mean(b)
}

// outlineOf is the part of the border of letters, 0..1, that an outline stands at, and its mean width in pixels.
func outlineOf(letters, outline *bitmap.Bitmap) (around, width float64) {
	var near, at, border float64
	for i, d := range letters.Distance() {
		if d == 1 {
			border++
		}
		if d > 0 && d <= nearLetter {
			near++
			at += float64(outline.Pix[i])
		}
	}
	return at / max(near, 1), float64(outline.Count()) / max(border, 1)
}

// nearLetter is the squared distance within which an outline stands at a letter: beyond the pixel that is a blend of both.
const nearLetter = 5
