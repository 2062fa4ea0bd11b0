package readingorder

import "plait/internal/raster/bitmap"

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
	p.barred = bitmap.New(p.inked.Rect)
	p.barred.Union(p.inked)
	page, least := p.inked.Rect.Inset(1), int(leastBlank*float64(p.width))
	blank := p.inked.Complement()
	for _, c := range blank.Components() {
		if c.Bounds.In(page) && min(c.Bounds.Dx(), c.Bounds.Dy()) >= least && hasBlankSides(blank.Component(c)) {
			for _, i := range c.Pixels {
				p.barred.Pix[i] = 1
			}
		}
	}
}

// hasBlankSides reports whether a component, given over its bounds, is straight at three of its sides.
func hasBlankSides(c *bitmap.Bitmap) bool {
	straight := 0
	for _, share := range straightSides(c) {
		straight += count(share >= blankSide)
	}
	return straight >= 3
}
