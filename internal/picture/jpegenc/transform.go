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

// zigzag is the place of each coefficient, in zig-zag order (T.81, figure A.6), in a block that holds its columns as rows.
var zigzag = func() (order [64]uint8) {
	x, y, step := 0, 0, 1
	for i := range order {
		order[i] = uint8(8*x + y)
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

// divisors are the steps of quantization in zig-zag order, and their halves, in the units of a transformed coefficient.
type divisors struct{ step, half [64]int64 }

func newDivisors(t *Table) *divisors {
	d := &divisors{}
	for i, step := range t {
		d.step[i] = int64(max(step, 1)) << (2 * precision)
		d.half[i] = d.step[i] / 2
	}
	return d
}

// quantize transforms a block of samples and divides it by its steps. The result is in zig-zag order. Nothing is rounded
// before the division: samples have 8 bits and cosines 13, so that sums stay below 2^41.
func quantize(out *[64]int32, pix []int32, stride int, d *divisors) {
	if isFlat(pix, stride) { // as most of a comic's paper and chroma
		*out = [64]int32{}
		out[0] = divide(int64(pix[0])*flatGain, d.step[0], d.half[0])
		return
	}
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
		out[i] = divide(block[at], d.step[i], d.half[i])
	}
}

// divide rounds to the nearest, and halves away from zero. Most coefficients are nearest to zero.
func divide(v, step, half int64) int32 {
	switch {
	case uint64(v+half-1) < uint64(2*half-1):
		return 0
	case v > 0:
		return int32((v + half) / step)
	default:
		return -int32((half - v) / step)
	}
}

// flatGain is what the transform makes of a sample that all of a block have.
var flatGain = 64 * even[0][0] * even[0][0]

func isFlat(pix []int32, stride int) bool {
	first := pix[0]
	for y := range 8 {
		p := pix[y*stride:][:8:8]
		if (p[0]^first)|(p[1]^first)|(p[2]^first)|(p[3]^first)|(p[4]^first)|(p[5]^first)|(p[6]^first)|(p[7]^first) != 0 {
			return false
		}
	}
	return true
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
