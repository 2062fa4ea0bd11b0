package mangaocr

import (
	"image"

	"plait/internal/raster"
)

// side is the width and height of the encoder's input.
const side = 224

// sample writes the line, stretched to a square, as three equal planes of gray, -1..1. It reports whether the line has an area.
func sample(img *image.NRGBA, q raster.Quad, planes []float32) bool {
	if width, height := q.Sides(); width*height < 1 {
		return false
	}
	for at, c := range raster.Warp(img, q, side, side) {
		// The model was trained on luma.
		v := raster.RGB{uint8(c[0]), uint8(c[1]), uint8(c[2])}.Luma()/127.5 - 1
		for k := range 3 {
			planes[(k*side+at.Y)*side+at.X] = v
		}
	}
	return true
}
