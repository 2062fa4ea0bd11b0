package detect

import "image"

// connectedPiece is a connected piece of one kind of pixels.
type connectedPiece struct {
	runs   []run
	bounds image.Rectangle
}

// size is that of the longer side of its bounds.
func (p connectedPiece) size() float64 { return float64(max(p.bounds.Dx(), p.bounds.Dy())) }

func (p connectedPiece) center() vector {
	return vector{float64(p.bounds.Min.X+p.bounds.Max.X) / 2, float64(p.bounds.Min.Y+p.bounds.Max.Y) / 2}
}

// runsOf are the rows of pixels of a kind, from top to bottom and left to right.
func runsOf(img *image.NRGBA, is func(pixel []uint8) bool) []run {
	var runs []run
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+4*img.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			if !is(row[x : x+4 : x+4]) {
				continue
			}
			start := x
			for x < len(row) && is(row[x:x+4:x+4]) {
				x += 4
			}
			runs = append(runs, run{y: y, x0: start / 4, x1: x / 4, parent: len(runs)})
		}
	}
	return runs
}
