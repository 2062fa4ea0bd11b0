package regions

import (
	"image"
	"math"

	"plait/internal/raster"
)

// blank is the gap between two lines: straight paths lead from one line to the other, side by side along side.
type blank struct {
	frame     frame
	side, way interval
	// across says that the paths lead across the reading direction, from a line to the next.
	across bool
	// possible says that the lines are near enough to belong together.
	possible bool
}

// paths is the number of paths through a gap that are examined.
const paths = 16

// divided reports whether the picture separates two lines that are near each other: the colors around them differ while both surroundings
// are flat, or nearly every path between them meets another color.
func divided(img *image.NRGBA, where blank, a, b palette) bool {
	if a.flat > 0.5 && b.flat > 0.5 && raster.Distinct(a.around, b.around) {
		return true
	}
	if where.way.length() < 2 || where.side.length() < 1 {
		return false // no room for an outline
	}
	barred := 0
	for i := range paths {
		if where.barred(img, where.side.from+(float64(i)+0.5)/paths*where.side.length(), a.around, b.around) {
			barred++
		}
	}
	// Glyphs that reach into the gap bar some paths, but never nearly all.
	return barred*10 >= paths*9
}

// barred reports whether the path at a place of the side meets a color that is around neither line.
func (w blank) barred(img *image.NRGBA, at float64, a, b raster.RGB) bool {
	for place := w.way.from; place <= w.way.to; place += 0.5 {
		x, y := w.frame.from(at, place)
		if !w.across {
			x, y = w.frame.from(place, at)
		}
		px, py := int(math.Floor(x)), int(math.Floor(y))
		if px < 0 || py < 0 || px >= img.Rect.Dx() || py >= img.Rect.Dy() {
			continue
		}
		if c := raster.At(img, px, py); raster.Distinct(c, a) && raster.Distinct(c, b) {
			return true
		}
	}
	return false
}
