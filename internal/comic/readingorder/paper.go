package readingorder

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// cell is the side of the squares in which the picture is examined, in pixels of a page 1240 wide.
const cell = 3

// leastCells is the least side of a page, in cells, that is examined.
const leastCells = 8

// paperDistance is the greatest difference of a channel between the color of the paper and a pixel of paper.
const paperDistance = 40

// paper is a possible color of gutters, and the cells of a page that have other colors.
type paper struct {
	width, height int // in cells
	side          int // of a cell, in pixels
	color         raster.RGB
	// sure says that most of the page's edge has the color.
	sure bool
	// inked are the cells with another color, and barred the cells that no gutter runs through.
	inked, barred *bitmap.Bitmap
}

func cellSide(img *image.NRGBA) int { return max(1, img.Rect.Dx()*cell/1240) }

// papers are the possible colors of the gutters of a page, in order of likelihood: the color of most of its edge, and, since art may run
// off the edge, white and black.
func papers(img *image.NRGBA, side int) []*paper {
	blank := paper{width: img.Rect.Dx() / side, height: img.Rect.Dy() / side, side: side}
	edge, white, black := blank, blank, blank
	white.color = raster.White
	all := []*paper{&white, &black}
	if edge.color, edge.sure = blank.edgeColor(img); edge.sure {
		all = slices.DeleteFunc(all, func(p *paper) bool { return !differs(p.color, edge.color) })
		all = slices.Insert(all, 0, &edge)
	}
	return all
}

// look finds the inked and the barred cells.
func (p *paper) look(img *image.NRGBA) {
	p.inked = bitmap.New(image.Rect(0, 0, p.width, p.height))
	for y := range p.height {
		for x := range p.width {
			if p.isInked(img, x, y) {
				p.inked.Add(x, y)
			}
		}
	}
	p.bar()
}

// edgeColor is the median color of the edge, if at least half of the edge is close to it.
func (p *paper) edgeColor(img *image.NRGBA) (color raster.RGB, found bool) {
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
func (p *paper) at(img *image.NRGBA, x, y int) raster.RGB {
	i := (y*p.side+p.side/2)*img.Stride + 4*(x*p.side+p.side/2)
	return raster.RGB(img.Pix[i : i+3])
}

// isInked reports whether a cell has another color. It tests the pixels on a diagonal of the cell, so that it misses no line wider than a
// pixel.
func (p *paper) isInked(img *image.NRGBA, x, y int) bool {
	for k := range p.side {
		i := (y*p.side+k)*img.Stride + 4*(x*p.side+k)
		if differs(raster.RGB(img.Pix[i:i+3]), p.color) {
			return true
		}
	}
	return false
}

func differs(a, b raster.RGB) bool { return raster.Difference(a, b) > paperDistance }
