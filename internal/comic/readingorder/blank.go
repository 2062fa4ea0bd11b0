package readingorder

import "plait/internal/raster/bitmap"

const (
	// leastBlank is the least side of the blank interior of a panel, as a share of the page's width. Bubbles and captions over a gutter
	// are smaller.
	leastBlank = 0.2
	// blankSide is the least share of a straight side that is blank. Art may cover one side of a panel; bubbles have no straight side.
	blankSide = 0.5
)

// bar marks the cells of the paper's color inside frames as barred, because no gutter runs there. Thin frames alone put hardly any ink on
// the lines that cross them. Strips are skipped: they are read downwards, whatever their panels are.
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

// hasBlankSides reports whether a component, given within its bounds, has at least three straight sides.
func hasBlankSides(c *bitmap.Bitmap) bool {
	straight := 0
	for _, share := range straightSides(c) {
		straight += count(share >= blankSide)
	}
	return straight >= 3
}
