package readingorder

import (
	"image"
	"slices"
)

const (
	// leastBlank is the least side of the blank inside of a panel, in parts of the page's width: bubbles and captions that stand over a
	// gutter are smaller.
	leastBlank = 0.2
	// blankSide is the least share of a straight side that is blank. Art may take one side of a panel; bubbles have none.
	blankSide = 0.5
)

// bar bars what is of the paper's color inside of a frame: no gutter runs there. Thin frames alone hardly ink the lines that cross them.
// Strips are read downwards, whatever their panels are.
func (p *paper) bar() {
	if float64(p.height) >= stripRatio*float64(p.width) {
		p.barred = p.inked
		return
	}
	p.barred = slices.Clone(p.inked)
	f := newFiller(p.width, p.height)
	for i, inked := range p.inked {
		f.open[i] = !inked
	}
	page, least := image.Rect(0, 0, p.width, p.height).Inset(1), int(leastBlank*float64(p.width))
	for i, open := range f.open {
		if !open {
			continue
		}
		f.pieces++
		box := f.fill(i)
		if !box.In(page) || min(box.Dx(), box.Dy()) < least || !f.hasBlankSides(box) {
			continue
		}
		for k, piece := range f.piece {
			p.barred[k] = p.barred[k] || piece == f.pieces
		}
	}
}

// hasBlankSides reports whether the newest piece, with that box, is straight at three of its sides.
func (f *filler) hasBlankSides(box image.Rectangle) bool {
	straight := 0
	for _, share := range f.sides(box) {
		straight += count(share >= blankSide)
	}
	return straight >= 3
}
