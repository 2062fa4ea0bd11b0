// Package membrane fills holes by harmonic interpolation: with the solution of the Laplace equation whose border values are the pixels
// around the hole. It continues gradients without a seam and adds no texture.
package membrane

import "plait/internal/comic/inpaint/crop"

// Fill sets the colors of the Hole pixels of c; they stay Hole. Known pixels are the border values. At Barred pixels and at the edge of
// the crop the surface has no slope. A hole without Known pixels at its border gets the mean of all Known pixels.
func Fill(c *crop.Crop) {
	value := make([]float32, len(c.Pix))
	for i, v := range c.Pix {
		value[i] = float32(v)
	}
	newGrid(c.Width(), c.Height(), c.State, value).solve()
	for i, s := range c.State {
		if s == crop.Hole {
			for k := 3 * i; k < 3*i+3; k++ {
				c.Pix[k] = uint8(min(max(value[k]+0.5, 0), 255))
			}
		}
	}
}

// grid is the problem at one resolution.
type grid struct {
	w, h  int
	state []crop.State
	value []float32 // three channels per pixel
	// sought are the Hole pixels, divided like the fields of a chessboard.
	sought [2][]cell
}

// cell is a Hole pixel with the indices of its neighbors that are not Barred.
type cell struct {
	at    int32
	count int32
	next  [4]int32
}

func newGrid(w, h int, state []crop.State, value []float32) *grid {
	g := &grid{w: w, h: h, state: state, value: value}
	for y := range h {
		for x := range w {
			if i := y*w + x; state[i] == crop.Hole {
				g.sought[(x+y)%2] = append(g.sought[(x+y)%2], g.cell(i, x, y))
			}
		}
	}
	return g
}

func (g *grid) cell(i, x, y int) cell {
	c := cell{at: int32(i)}
	take := func(within bool, j int) {
		if within && g.state[j] != crop.Barred {
			c.next[c.count] = int32(j)
			c.count++
		}
	}
	take(x > 0, i-1)
	take(x < g.w-1, i+1)
	take(y > 0, i-g.w)
	take(y < g.h-1, i+g.w)
	return c
}

const (
	// coarsest is the side of the smallest grid, in pixels.
	coarsest = 4
	// sweeps is the number of iterations on each grid. The start value from the smaller grid leaves only errors of short wavelength, which
	// they remove.
	sweeps = 40
	// relaxation is the over-relaxation factor. It would have to be near 2 for the smooth errors of large grids, and is moderate here.
	relaxation = 1.6
)

// solve starts from the solution on a grid of half the resolution, and improves it by red-black over-relaxation.
func (g *grid) solve() {
	if len(g.sought[0])+len(g.sought[1]) == 0 {
		return
	}
	if g.w > coarsest && g.h > coarsest {
		half := g.halve()
		half.solve()
		for _, color := range g.sought {
			for _, c := range color {
				i := int(c.at)
				j := i/g.w/2*half.w + i%g.w/2
				copy(g.value[3*i:3*i+3], half.value[3*j:3*j+3])
			}
		}
	} else {
		g.fillMean()
	}
	for range sweeps {
		g.sweep(g.sought[0])
		g.sweep(g.sought[1])
	}
}

// halve averages the Known pixels of each block of 2 by 2. A block without any is Hole if a pixel of it is.
func (g *grid) halve() *grid {
	w, h := (g.w+1)/2, (g.h+1)/2
	state, value := make([]crop.State, w*h), make([]float32, 3*w*h)
	count := make([]float32, w*h)
	for j := range state {
		state[j] = crop.Barred
	}
	for i, s := range g.state {
		j := i/g.w/2*w + i%g.w/2
		switch {
		case s == crop.Known:
			state[j] = crop.Known
			count[j]++
			for k := range 3 {
				value[3*j+k] += g.value[3*i+k]
			}
		case s == crop.Hole && state[j] == crop.Barred:
			state[j] = crop.Hole
		}
	}
	for j, n := range count {
		for k := range 3 {
			value[3*j+k] /= max(n, 1)
		}
	}
	return newGrid(w, h, state, value)
}

func (g *grid) fillMean() {
	var sum [3]float32
	var n float32
	for i, s := range g.state {
		if s == crop.Known {
			n++
			for k := range sum {
				sum[k] += g.value[3*i+k]
			}
		}
	}
	for _, color := range g.sought {
		for _, c := range color {
			for k := range sum {
				g.value[3*int(c.at)+k] = sum[k] / max(n, 1)
			}
		}
	}
}

func (g *grid) sweep(cells []cell) {
	for k := range cells {
		c := &cells[k]
		if c.count == 0 {
			continue
		}
		var r, gr, b float32
		for _, j := range c.next[:c.count] {
			v := g.value[3*j : 3*j+3]
			r, gr, b = r+v[0], gr+v[1], b+v[2]
		}
		f := relaxation / float32(c.count)
		v := g.value[3*c.at : 3*c.at+3]
		// The conversions prevent fused multiply-add, so that every processor gives the same bytes.
		v[0] += float32(f*r) - float32(relaxation*v[0])
		v[1] += float32(f*gr) - float32(relaxation*v[1])
		v[2] += float32(f*b) - float32(relaxation*v[2])
	}
}
