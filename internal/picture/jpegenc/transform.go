package jpegenc

import "math"

// precision is how many bits of a cosine lie behind the point.
const precision = 13

// The transform (T.81, A.3.3) as a matrix, c(u)/2 cos((2x+1)uπ/16). Cosines of even u are the same from both ends of a row and
// those of odd u opposite, so half a row of each is enough.
var even, odd = func() (even, odd [4][4]int64) {
	for i := range 4 {
		for x := range 4 {
			even[i][x], odd[i][x] = cosine(2*i, x), cosine(2*i+1, x)
		}
	}
	return even, odd
}()

func cosine(u, x int) int64 {
	c := 0.5
	if u == 0 {
		c = math.Sqrt(0.125)
	}
	return int64(math.Round(c * math.Cos(float64((2*x+1)*u)*math.Pi/16) * (1 << precision)))
}

// zigzag is the place in a block, row by row, of each coefficient in zig-zag order (T.81, figure A.6).
var zigzag = func() (order [64]int) {
	x, y, step := 0, 0, 1
	for i := range order {
		order[i] = 8*y + x
		switch {
		case step > 0 && x == 7:
			y, step = y+1, -1
		case step > 0 && y == 0:
			x, step = x+1, -1
		case step < 0 && y == 7:
			x, step = x+1, 1
		case step < 0 && x == 0:
			y, step = y+1, 1
		default:
			x, y = x+step, y-step
		}
	}
	return order
}()

// divisors are the steps of quantization in zig-zag order, in the units of a transformed coefficient.
type divisors [64]int64

func newDivisors(t *Table) (d divisors) {
	for i, step := range t {
		d[i] = int64(max(step, 1)) << (2 * precision)
	}
	return d
}

// quantize transforms a block of samples and divides it by its steps. The result is in zig-zag order. Nothing
// is rounded before the division: samples have 8 bits and cosines 13, so that sums stay below 2^41.
func quantize(out *[64]int32, pix []int32, stride int, steps *divisors) {
	var rows, block [64]int64
	for y := range 8 {
		p := pix[y*stride:][:8:8]
		transform((*[8]int64)(rows[8*y:]), [8]int64{
			int64(p[0]), int64(p[1]), int64(p[2]), int64(p[3]), int64(p[4]), int64(p[5]), int64(p[6]), int64(p[7]),
		})
	}
	for x := range 8 {
		r := rows[x : x+57 : x+57]
		transform((*[8]int64)(block[8*x:]), [8]int64{r[0], r[8], r[16], r[24], r[32], r[40], r[48], r[56]})
	}
	for i, at := range zigzag {
		// block lies on its side: its rows are columns.
		v, step := block[at&7<<3|at>>3], steps[i]
		switch {
		case v >= step/2:
			out[i] = int32((v + step/2) / step)
		case v <= -step/2:
			out[i] = -int32((step/2 - v) / step)
		default:
			out[i] = 0
		}
	}
}

func transform(out *[8]int64, in [8]int64) {
	sum := [4]int64{in[0] + in[7], in[1] + in[6], in[2] + in[5], in[3] + in[4]}
	difference := [4]int64{in[0] - in[7], in[1] - in[6], in[2] - in[5], in[3] - in[4]}
	for i := range 4 {
		e, o := &even[i], &odd[i]
		out[2*i] = e[0]*sum[0] + e[1]*sum[1] + e[2]*sum[2] + e[3]*sum[3]
		out[2*i+1] = o[0]*difference[0] + o[1]*difference[1] + o[2]*difference[2] + o[3]*difference[3]
	}
}
