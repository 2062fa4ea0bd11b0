package detect

import (
	"image"

	"plait/internal/raster/components"
)

// connectedPiece is a connected component of one kind of pixels.
type connectedPiece struct{ components.Component }

// size is that of the longer side of its bounds.
func (p connectedPiece) size() float64 { return float64(max(p.Bounds.Dx(), p.Bounds.Dy())) }

func (p connectedPiece) center() vector {
	return vector{float64(p.Bounds.Min.X+p.Bounds.Max.X) / 2, float64(p.Bounds.Min.Y+p.Bounds.Max.Y) / 2}
}

// componentsOf are the connected components, corners included, of the pixels of a kind.
func componentsOf(img *image.NRGBA, is func(pixel []uint8) bool) []components.Component {
	return components.Find(img.Rect.Dx(), img.Rect.Dy(), components.Eight, func(x, y int) bool {
		i := y*img.Stride + 4*x
		return is(img.Pix[i : i+4 : i+4])
	})
}
