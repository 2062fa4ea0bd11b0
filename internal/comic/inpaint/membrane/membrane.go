// Package membrane fills holes by harmonic interpolation: with the solution of the Laplace equation whose border values are the pixels
// around the hole. It continues gradients without a seam and adds no texture.
package membrane

import "plait/internal/comic/inpaint/crop"

const (
	// sweeps is the number of iterations at each resolution. The start from half of it leaves only errors of short wavelength,
	// which they remove.
	sweeps = 40
	// relaxation is the over-relaxation factor. It would have to be near 2 for the smooth errors of large crops, and is moderate here.
	relaxation = 1.6
)

// Fill sets the colors of the hole of c, which stays a hole. Known pixels are the border values. At barred pixels and at the edge of
// the crop the surface has no slope. A hole without known pixels at its border gets the color of those around it at a lower resolution.
//
// It starts from the solution at half the resolution, and improves it by red-black over-relaxation.
func Fill(c *crop.Crop) {
	sought := cells(c)
	if len(sought[0])+len(sought[1]) == 0 || len(c.Hole.Pix) == 1 {
		return
	}
	half := c.Halve()
	Fill(half)
	for i := range c.Hole.All() {
		from := half.Color(i/c.Width()/2*half.Width() + i%c.Width()/2)
		copy(c.Pix[4*i:], from[:])
	}
	value := make([]float32, len(c.Pix)) // four channels per pixel
	for i, v := range c.Pix {
		value[i] = float32(v)
	}
	for range sweeps {
		sweep(value, sought[0])
		sweep(value, sought[1])
	}
	for i := range c.Hole.All() {
		for k := 4 * i; k < 4*i+3; k++ {
			c.Pix[k] = uint8(min(max(value[k]+0.5, 0), 255))
		}
	}
}

// cell is a pixel of a hole with the indices of its neighbors that are not barred.
type cell struct {
	at    int32
	count int32
	next  [4]int32
}

// cells are the pixels of the hole, divided like the fields of a chessboard.
func cells(c *crop.Crop) (sought [2][]cell) {
	w, h := c.Width(), c.Height()
	for i := range c.Hole.All() {
		x, y := i%w, i/w
		own := cell{at: int32(i)}
		take := func(within bool, j int) {
			if within && c.Barred.Pix[j] == 0 {
				own.next[own.count] = int32(j)
				own.count++
			}
		}
		take(x > 0, i-1)
		take(x < w-1, i+1)
		take(y > 0, i-w)
		take(y < h-1, i+w)
		sought[(x+y)%2] = append(sought[(x+y)%2], own)
	}
	return sought
}

func sweep(value []float32, cells []cell) {
	for k := range cells {
		c := &cells[k]
		if c.count == 0 {
			continue
		}
		var r, g, b float32
		for _, j := range c.next[:c.count] {
			v := value[4*j : 4*j+3]
			r, g, b = r+v[0], g+v[1], b+v[2]
		}
		f := relaxation / float32(c.count)
		v := value[4*c.at : 4*c.at+3]
		// The conversions prevent fused multiply-add, so that every processor gives the same bytes.
		v[0] += float32(f*r) - float32(relaxation*v[0])
		v[1] += float32(f*g) - float32(relaxation*v[1])
		v[2] += float32(f*b) - float32(relaxation*v[2])
	}
}
