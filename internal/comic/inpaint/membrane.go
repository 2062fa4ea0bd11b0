package inpaint

import (
	"image"

	"plait/internal/comic/mask/bitmap"
	"plait/internal/pipeline"
)

// fillMembrane solves the Laplace equation over the hole, with the pixels around it that are
// ground as the border. At others, and at the page's edge, the surface ends level.
func fillMembrane(out *image.NRGBA, shape *bitmap.Bitmap, isGround func(image.Point) bool) {
	w, h := shape.Rect.Dx(), shape.Rect.Dy()
	fine := newGrid(w, h)
	for i, p := range shape.Pix {
		at := shape.Point(i)
		switch {
		case p != 0:
			fine.state[i] = unknown
		case isGround(at):
			fine.state[i] = known
			c := colorAt(out, at)
			fine.value[i] = [3]float32{float32(c[0]), float32(c[1]), float32(c[2])}
		}
	}
	fine.solve()
	for i, p := range shape.Pix {
		if p == 0 {
			continue
		}
		var c pipeline.RGB
		for k, v := range fine.value[i] {
			c[k] = uint8(min(max(v+0.5, 0), 255))
		}
		setColor(out, shape.Point(i), c)
	}
}

type state uint8

const (
	outside state = iota // takes no part
	known                // given
	unknown              // sought
)

type grid struct {
	w, h  int
	state []state
	value [][3]float32
}

func newGrid(w, h int) *grid {
	return &grid{w: w, h: h, state: make([]state, w*h), value: make([][3]float32, w*h)}
}

const (
	coarsest = 4
	// sweeps at each level; nested iteration leaves only errors of short wavelength to each, which these remove.
	sweeps = 40
	// relaxation is the over-relaxation factor; near 2 for the smooth errors of large grids, moderate here.
	relaxation = 1.6
)

// solve starts from the solution on a grid of half the resolution, and smooths it by red-black over-relaxation.
func (g *grid) solve() {
	if g.w > coarsest && g.h > coarsest {
		half := g.halve()
		half.solve()
		for i, s := range g.state {
			if s == unknown {
				g.value[i] = half.value[i/g.w/2*half.w+i%g.w/2]
			}
		}
	} else {
		g.fillMean()
	}
	for range sweeps {
		g.sweep(0)
		g.sweep(1)
	}
}

// halve averages known pixels by fours; a cell without any is sought when a pixel of it is.
func (g *grid) halve() *grid {
	half := newGrid((g.w+1)/2, (g.h+1)/2)
	count := make([]float32, len(half.state))
	for i, s := range g.state {
		j := i/g.w/2*half.w + i%g.w/2
		switch {
		case s == known:
			half.state[j] = known
			count[j]++
			for k := range g.value[i] {
				half.value[j][k] += g.value[i][k]
			}
		case s == unknown && half.state[j] == outside:
			half.state[j] = unknown
		}
	}
	for j, n := range count {
		for k := range half.value[j] {
			half.value[j][k] /= max(n, 1)
		}
	}
	return half
}

func (g *grid) fillMean() {
	var sum [3]float32
	var n float32
	for i, s := range g.state {
		if s == known {
			n++
			for k := range sum {
				sum[k] += g.value[i][k]
			}
		}
	}
	for i, s := range g.state {
		if s == unknown {
			for k := range sum {
				g.value[i][k] = sum[k] / max(n, 1)
			}
		}
	}
}

// sweep relaxes the unknown pixels of one color of the chessboard.
func (g *grid) sweep(color int) {
	for y := range g.h {
		for x := (y + color) % 2; x < g.w; x += 2 {
			if i := y*g.w + x; g.state[i] == unknown {
				g.relax(i, x, y)
			}
		}
	}
}

func (g *grid) relax(i, x, y int) {
	var sum [3]float32
	var n float32
	take := func(j int) {
		if g.state[j] != outside {
			n++
			for k := range sum {
				sum[k] += g.value[j][k]
			}
		}
	}
	if x > 0 {
		take(i - 1)
	}
	if x < g.w-1 {
		take(i + 1)
	}
	if y > 0 {
		take(i - g.w)
	}
	if y < g.h-1 {
		take(i + g.w)
	}
	if n == 0 {
		return
	}
	for k := range sum {
		g.value[i][k] += relaxation * (sum[k]/n - g.value[i][k])
	}
}
