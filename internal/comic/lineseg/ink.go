package lineseg

import (
	"image"
	"slices"

	"plait/internal/raster"
	"plait/internal/raster/components"
)

const (
	// flatGround is the least share of pixels near the color of the ground: over tone and art, ink cannot be told.
	flatGround = 0.5
	// inkLevels is the least difference of a channel between ink and the ground. [raster.Distinct] is too fine for projections: over a
	// gradient, such as a night sky, it takes shades of the ground for ink and splits lines.
	inkLevels = 70
	// surroundings is how far beyond the lines ink of theirs is looked for, in their sizes.
	surroundings = 0.35
	// leastOwn is the least share of the ink in the boxes of the lines that is of pieces small enough: else art runs through.
	leastOwn = 0.95
	// largest is the longest side of a piece of ink of a character, in sizes of the lines: longer is the outline of a bubble.
	largest = 1.6
)

// inkAround gives the boxes of the pieces of ink of some lines, and false where they do not stand on flat ground.
func inkAround(img *image.NRGBA, lines []box, size float64) ([]box, bool) {
	area, within := linesArea(img, lines, surroundings*size)
	ground, flat := groundColor(img, within)
	if flat < flatGround {
		return nil, false
	}
	inked := inkOf(img, area, ground)
	inLines := func(i int) bool {
		x, y := float64(area.Min.X+i%area.Dx())+0.5, float64(area.Min.Y+i/area.Dx())+0.5
		return slices.ContainsFunc(lines, func(l box) bool { return x > l.x0 && x < l.x1 && y > l.y0 && y < l.y1 })
	}
	var pieces []box
	own, foreign := 0, 0
	for _, c := range piecesOfInk(inked, area.Dx(), inLines) {
		piece, whole := c.piece(area, size)
		if !whole {
			foreign += c.counted
			continue
		}
		own += c.counted
		if slices.ContainsFunc(lines, func(l box) bool { return l.grown(surroundings*size).common(piece) > 0 }) {
			pieces = append(pieces, piece)
		}
	}
	return pieces, float64(own) >= leastOwn*float64(own+foreign)
}

// piece is the box on the page of a piece of ink in an area, and whether it may be of lettering of a size: neither cut off by
// the edge of the area nor too large.
func (c pieceOfInk) piece(area image.Rectangle, size float64) (b box, whole bool) {
	p := c.bounds
	cut := p.Min.X == 0 || p.Min.Y == 0 || p.Max.X == area.Dx() || p.Max.Y == area.Dy()
	whole = !cut && float64(max(p.Dx(), p.Dy())) <= largest*size
	p = p.Add(area.Min)
	return box{float64(p.Min.X), float64(p.Min.Y), float64(p.Max.X), float64(p.Max.Y)}, whole
}

// linesArea is where some lines and their surroundings lie on the page, and where the lines alone do.
func linesArea(img *image.NRGBA, lines []box, around float64) (area, within image.Rectangle) {
	all := lines[0]
	for _, l := range lines {
		all = all.union(l)
	}
	area = all.grown(around).pixels().Intersect(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()))
	return area, all.pixels().Intersect(area)
}

// inkOf tells which pixels of an area stand out from its ground.
func inkOf(img *image.NRGBA, area image.Rectangle, ground raster.RGB) []bool {
	inked := make([]bool, area.Dx()*area.Dy())
	for y := range area.Dy() {
		for x := range area.Dx() {
			i := (y+area.Min.Y)*img.Stride + 4*(x+area.Min.X)
			inked[y*area.Dx()+x] = differs(raster.RGB(img.Pix[i:i+3]), ground)
		}
	}
	return inked
}

// groundColor is the median color of an area, and the share of pixels near it.
func groundColor(img *image.NRGBA, area image.Rectangle) (color raster.RGB, share float64) {
	var count [3][256]int
	total := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := y*img.Stride + 4*x
			for k := range 3 {
				count[k][img.Pix[i+k]]++
			}
			total++
		}
	}
	for k := range 3 {
		below := 0
		for v, n := range count[k] {
			if below += n; 2*below >= total {
				color[k] = uint8(v)
				break
			}
		}
	}
	near := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			i := y*img.Stride + 4*x
			if !differs(raster.RGB(img.Pix[i:i+3]), color) {
				near++
			}
		}
	}
	return color, float64(near) / float64(max(total, 1))
}

func differs(a, b raster.RGB) bool { return raster.Difference(a, b) > inkLevels }

// pieceOfInk is a connected component of ink: its bounds in the area, and how many of its pixels count.
type pieceOfInk struct {
	bounds  image.Rectangle
	counted int
}

// piecesOfInk are the connected components, corners included, of a bitmap of some width.
func piecesOfInk(inked []bool, width int, counts func(i int) bool) []pieceOfInk {
	found := components.Find(width, len(inked)/max(width, 1), components.Eight, func(x, y int) bool { return inked[y*width+x] })
	pieces := make([]pieceOfInk, len(found))
	for k, c := range found {
		pieces[k].bounds = c.Bounds
		for _, r := range c.Runs {
			for x := r.X0; x < r.X1; x++ {
				if counts(r.Y*width + x) {
					pieces[k].counted++
				}
			}
		}
	}
	return pieces
}
