package order

import (
	"image"
)

// cell is the side of the squares in which the picture is looked at, in pixels of a page 1240 wide.
const cell = 3

// paperDistance is the greatest difference of a channel between paper and what is still taken for it.
const paperDistance = 40

// paper knows how much of any rectangle of a page is not paper.
type paper struct {
	width, height int // in cells
	side          int // of a cell, in pixels
	// sums[y*(width+1)+x] is the number of inked cells above and to the left.
	sums []int32
}

// newPaper takes the color that most of the edge of the page has for paper. It is nil when no color has half of it, as
// on a page whose art runs off the edge.
func newPaper(img *image.NRGBA) *paper {
	side := max(1, img.Rect.Dx()*cell/1240)
	p := &paper{width: img.Rect.Dx() / side, height: img.Rect.Dy() / side, side: side}
	if p.width < 8 || p.height < 8 {
		return nil
	}
	color, found := p.edgeColor(img)
	if !found {
		return nil
	}
	p.sums = make([]int32, (p.width+1)*(p.height+1))
	for y := range p.height {
		var row int32
		for x := range p.width {
			if p.inked(img, x, y, color) {
				row++
			}
			p.sums[(y+1)*(p.width+1)+x+1] = p.sums[y*(p.width+1)+x+1] + row
		}
	}
	return p
}

// edgeColor is the median color of the edge, if at least half of the edge is near it.
func (p *paper) edgeColor(img *image.NRGBA) (color [3]uint8, found bool) {
	var edge []image.Point
	for x := range p.width {
		edge = append(edge, image.Pt(x, 0), image.Pt(x, p.height-1))
	}
	for y := range p.height {
		edge = append(edge, image.Pt(0, y), image.Pt(p.width-1, y))
	}
	var count [3][256]int
	for _, at := range edge {
		c := p.at(img, at.X, at.Y)
		for k := range 3 {
			count[k][c[k]]++
		}
	}
	for k := range 3 {
		below := 0
		for v, n := range count[k] {
			below += n
			if 2*below >= len(edge) {
				color[k] = uint8(v)
				break
			}
		}
	}
	near := 0
	for _, at := range edge {
		if !differs(p.at(img, at.X, at.Y), color) {
			near++
		}
	}
	return color, 2*near >= len(edge)
}

// at is the color in the middle of a cell.
func (p *paper) at(img *image.NRGBA, x, y int) [3]uint8 {
	i := (y*p.side+p.side/2)*img.Stride + 4*(x*p.side+p.side/2)
	return [3]uint8(img.Pix[i : i+3])
}

// inked looks at the pixels on a diagonal of the cell, so that no line of more than a pixel is missed.
func (p *paper) inked(img *image.NRGBA, x, y int, color [3]uint8) bool {
	for k := range p.side {
		i := (y*p.side+k)*img.Stride + 4*(x*p.side+k)
		if differs([3]uint8(img.Pix[i:i+3]), color) {
			return true
		}
	}
	return false
}

func differs(a, b [3]uint8) bool {
	for k := range 3 {
		if d := int(a[k]) - int(b[k]); d > paperDistance || d < -paperDistance {
			return true
		}
	}
	return false
}

// ink is the number of inked cells of r.
func (p *paper) ink(r image.Rectangle) int {
	w := p.width + 1
	return int(p.sums[r.Max.Y*w+r.Max.X] - p.sums[r.Min.Y*w+r.Max.X] - p.sums[r.Max.Y*w+r.Min.X] + p.sums[r.Min.Y*w+r.Min.X])
}
