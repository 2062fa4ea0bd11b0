package lineseg

import "image"

// inkBeside gives the boxes of the pieces of ink on the ground that some lines stand on, and around them: ink that an outline
// parts from that ground is of another bubble. There are none where the lines stand on no flat ground.
func inkBeside(img *image.NRGBA, lines []box, size float64) []box {
	area, within := linesArea(img, lines, besideReach*size)
	ground, flat := groundColor(img, within)
	if flat < flatGround {
		return nil
	}
	inked := inkOf(img, area, ground)
	reached := groundAround(inked, area, lines)
	width := area.Dx()
	besideGround := func(i int) bool {
		return i%width > 0 && reached[i-1] || i%width < width-1 && reached[i+1] || i >= width && reached[i-width] || i+width < len(reached) && reached[i+width]
	}
	var pieces []box
	for _, c := range piecesOfInk(inked, width, besideGround) {
		if piece, whole := c.piece(area, size); whole && c.counted > 0 {
			pieces = append(pieces, piece)
		}
	}
	return pieces
}

// groundAround marks what is reached from the ground inside the lines without crossing ink.
func groundAround(inked []bool, area image.Rectangle, lines []box) []bool {
	width := area.Dx()
	reached := make([]bool, len(inked))
	var queue []int
	visit := func(i int) {
		if !inked[i] && !reached[i] {
			reached[i] = true
			queue = append(queue, i)
		}
	}
	for _, l := range lines {
		r := l.pixels().Intersect(area).Sub(area.Min)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				visit(y*width + x)
			}
		}
	}
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if i%width > 0 {
			visit(i - 1)
		}
		if i%width < width-1 {
			visit(i + 1)
		}
		if i >= width {
			visit(i - width)
		}
		if i+width < len(inked) {
			visit(i + width)
		}
	}
	return reached
}
