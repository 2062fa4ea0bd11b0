package edge

import "plait/internal/comic/inpaint/crop"

// profile is the colors across an edge, from the dark side to the bright side, one sample per pixel.
type profile [2*band + 1][3]float32

// contrast returns the difference between the luma of the bright side and that of the dark side, in levels.
func (p *profile) contrast() float32 {
	return (luma(p[2*band]) + luma(p[2*band-1]) - luma(p[0]) - luma(p[1])) / 2
}

func luma(c [3]float32) float32 { return 0.299*c[0] + 0.587*c[1] + 0.114*c[2] }

// difference returns the mean difference of the samples from and to, inclusive, in levels.
func (p *profile) difference(o *profile, from, to int) float32 {
	var sum float32
	for i := from; i <= to; i++ {
		for k := range 3 {
			sum += abs(p[i][k] - o[i][k])
		}
	}
	return sum / float32(3*(to-from+1))
}

func abs(v float32) float32 { return max(v, -v) }

// alike reports whether two profiles belong to one edge. They match as a whole or on one side: the frame of a panel may match only on the
// side of the gutter.
func alike(a, b *profile) bool {
	return a.difference(b, 0, 2*band) <= sameAll ||
		a.difference(b, 0, band-1) <= sameSide || a.difference(b, band+1, 2*band) <= sameSide
}

// blend interpolates between the profiles a and b. share is the position from a (0) to b (1), and place the position in the profile, in
// samples.
func blend(a, b *profile, share float32, place float64) (out [3]uint8) {
	i := min(int(place), 2*band-1)
	f := float32(place - float64(i))
	for k := range out {
		from := a[i][k]*(1-f) + a[i+1][k]*f
		to := b[i][k]*(1-f) + b[i+1][k]*f
		out[k] = uint8(min(max(from*(1-share)+to*share+0.5, 0), 255))
	}
	return out
}

// sample interpolates the color at a point, which must be at least a pixel inside the crop.
func sample(c *crop.Crop, x, y float64) [3]float32 {
	x0, y0 := int(x), int(y)
	fx, fy := float32(x-float64(x0)), float32(y-float64(y0))
	i := 3 * (y0*c.Width() + x0)
	j := i + 3*c.Width()
	var out [3]float32
	for k := range out {
		top := float32(c.Pix[i+k])*(1-fx) + float32(c.Pix[i+3+k])*fx
		bottom := float32(c.Pix[j+k])*(1-fx) + float32(c.Pix[j+3+k])*fx
		out[k] = top*(1-fy) + bottom*fy
	}
	return out
}
