package descreen

import (
	"image"
	"math"
)

// scale are the lengths in pixels of one page.
type scale struct {
	// side is that of the largest dot, crowd that of the square in which dots are counted.
	side, crowd int
	// stretch is how many rows have the height of a page, in whole cells.
	stretch int
	// leastTone is an area.
	leastTone float64
}

func scaleOf(img *image.NRGBA) scale {
	height := float64(img.Rect.Dy())
	unit := min(float64(img.Rect.Dx()), height/math.Sqrt2)
	stretches := max(1, math.Floor(height/unit/math.Sqrt2))
	return scale{
		side: max(leastSide, int(math.Round(dotSide*unit))), crowd: max(int(crowdSide*unit), 3*leastSide),
		stretch:   cellSide * int(math.Ceil(height/stretches/cellSide)),
		leastTone: leastTone * unit * unit,
	}
}

// tonedRows reports whether a stretch that the rows from top up to bottom meet has tone.
func (p *Page) tonedRows(top, bottom int, s scale) bool {
	for i := top / s.stretch; i*s.stretch < bottom && i < len(p.toned); i++ {
		if p.hasTone(i, s) {
			return true
		}
	}
	return false
}

func (p *Page) hasTone(stretch int, s scale) bool {
	return float64(p.toned[stretch]*cellSide*cellSide) >= s.leastTone
}

// restoreToneless makes the stretches without tone those of img again.
func (p *Page) restoreToneless(img *image.NRGBA, s scale) {
	for i := range p.toned {
		from, to := i*s.stretch, min((i+1)*s.stretch, img.Rect.Dy())
		if from >= to || p.hasTone(i, s) {
			continue
		}
		copy(p.Image.Pix[from*img.Stride:to*img.Stride], img.Pix[from*img.Stride:])
		first := from / cellSide * p.columns
		clear(p.cells[first:min(first+s.stretch/cellSide*p.columns, len(p.cells))])
	}
}
