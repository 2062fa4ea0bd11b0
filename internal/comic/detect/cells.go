package detect

import (
	"image"
	"iter"
	"math"

	"plait/internal/raster/components"
)

// cells are squares of a page, in rows.
type cells struct {
	side          float64
	columns, rows int
	// struck are those with strokes of art, letters those with pieces that may be of letters, telling how many of these may be
	// unknown ones on strokes, and wanted those of lettering.
	struck, letters, wanted []bool
	telling                 []int
}

func newCells(page image.Rectangle, side float64) *cells {
	g := &cells{side: side, columns: int(float64(page.Dx())/side) + 1, rows: int(float64(page.Dy())/side) + 1}
	n := g.columns * g.rows
	g.struck, g.letters, g.wanted, g.telling = make([]bool, n), make([]bool, n), make([]bool, n), make([]int, n)
	return g
}

func (g *cells) at(x, y int) int {
	return int(float64(y)/g.side)*g.columns + int(float64(x)/g.side)
}

// of is the cell of the middle of a piece.
func (g *cells) of(p connectedPiece) int {
	at := p.center()
	return g.at(int(at.x), int(at.y))
}

// strike marks the cells of a stroke.
func (g *cells) strike(runs []components.Run) {
	for _, r := range runs {
		for i := g.at(r.X0, r.Y); i <= g.at(r.X1-1, r.Y); i++ {
			g.struck[i] = true
		}
	}
}

// add marks the cell of a piece, after all strokes.
func (g *cells) add(p connectedPiece, unknown bool) {
	i := g.of(p)
	g.letters[i] = true
	if !unknown {
		return
	}
	strokes := 0
	for k := range g.around(i, 1) {
		if g.struck[k] {
			strokes++
		}
	}
	if strokes >= haloedStrokes {
		g.telling[i]++
	}
}

// around are the cells at most reach from one, itself too.
func (g *cells) around(i, reach int) iter.Seq[int] {
	x, y := i%g.columns, i/g.columns
	return func(yield func(int) bool) {
		for ny := max(0, y-reach); ny <= min(g.rows-1, y+reach); ny++ {
			for nx := max(0, x-reach); nx <= min(g.columns-1, x+reach); nx++ {
				if !yield(ny*g.columns + nx) {
					return
				}
			}
		}
	}
}

// spread wants the cells where pieces on strokes stand together, and those of pieces that go on from there. It reports whether
// there are any.
func (g *cells) spread() bool {
	var queue []int
	for i := range g.telling {
		if g.telling[i] == 0 {
			continue
		}
		crowd := 0
		for k := range g.around(i, 2) {
			crowd += g.telling[k]
		}
		if crowd >= haloedCrowd {
			g.wanted[i] = true
			queue = append(queue, i)
		}
	}
	found := len(queue) > 0
	for len(queue) > 0 {
		i := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for k := range g.around(i, 2) {
			if g.letters[k] && !g.wanted[k] {
				g.wanted[k] = true
				queue = append(queue, k)
			}
		}
	}
	return found
}

// picture shows the pieces of wanted cells alone, with their anti-aliased edges, on white.
func (g *cells) picture(img *image.NRGBA, pieces []connectedPiece) *image.NRGBA {
	alone := image.NewNRGBA(img.Rect)
	for i := range alone.Pix {
		alone.Pix[i] = math.MaxUint8
	}
	const edge = 1
	for _, p := range pieces {
		if !g.wanted[g.of(p)] {
			continue
		}
		for _, r := range p.Runs {
			for y := max(0, r.Y-edge); y <= min(img.Rect.Dy()-1, r.Y+edge); y++ {
				for x := max(0, r.X0-edge); x < min(img.Rect.Dx(), r.X1+edge); x++ {
					i := img.PixOffset(x, y)
					if inside := y == r.Y && x >= r.X0 && x < r.X1; inside || !isInk(img.Pix[i:i+4:i+4]) {
						copy(alone.Pix[y*alone.Stride+4*x:], img.Pix[i:i+4])
					}
				}
			}
		}
	}
	return alone
}

// lettered reports whether lettering is at a place, or just beside it.
func (g *cells) lettered(x, y int) bool {
	for k := range g.around(g.at(x, y), 1) {
		if g.wanted[k] {
			return true
		}
	}
	return false
}
