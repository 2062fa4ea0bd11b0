package regions

import (
	"image"

	"plait/internal/raster"
)

// palette holds the two colors of lettering: that of the glyphs and that around them.
type palette struct {
	around, glyphs raster.RGB
}

// measure finds the colors inside the lines.
func measure(img *image.NRGBA, lines []Line) palette {
	var h raster.Histogram
	for _, l := range lines {
		for c := range l.Quad.Colors(img) {
			h.Add(c)
		}
	}
	around, found := h.Mode()
	if !found {
		return palette{around: raster.White}
	}
	// The edges of glyphs blend both colors, so the color of the glyphs is the fullest bin far from the color around. A bin of a few pixels
	// is noise.
	glyphs, found := h.ModeBeyond(around, max(0.6*h.Farthest(around, 0.002), 1))
	if !found {
		glyphs = raster.Opposite(around)
	}
	return palette{around, glyphs}
}
