package jpegenc

// precision is how many bits of a cosine lie behind the point.
const precision = 13

// The cosines of the transform (T.81, A.3.3): cK is cos(Kπ/16)/2. That of K = 4 stands for the row of u = 0 too, 1/√8.
const (
	c1 = 4017
	c2 = 3784
	c3 = 3406
	c4 = 2896
	c5 = 2276
	c6 = 1567
	c7 = 799
)

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

// divisors are the steps of quantization in zig-zag order: their halves in the units of a transformed coefficient, and what a number
// is multiplied by instead of dividing it by the step.
type divisors struct {
	half    [64]int64
	inverse [64]uint32
}

// inversePrecision is how many bits of an inverse lie behind the point. Coefficients have 12 bits and steps 8, so that 20 make the
// quotient exact (Granlund and Montgomery, "Division by invariant integers using multiplication", theorem 4.2).
const inversePrecision = 20

func newDivisors(t *Table) *divisors {
	d := &divisors{}
	for i, step := range t {
		step := uint32(max(step, 1))
		d.half[i] = int64(step) << (2*precision - 1)
		d.inverse[i] = (1<<inversePrecision + step - 1) / step
	}
	return d
}

// block is a block of quantized coefficients in zig-zag order. Those whose bit in notZero is not set are zero, whatever stands there.
type block struct {
	coefficients [64]int32
	notZero      uint64
}

// quantize transforms a block of samples and divides it by its steps. Nothing is rounded before the division: samples have 8 bits and
// cosines 13, so that sums stay below 2^41.
func (b *block) quantize(pix []int16, stride int, d *divisors) {
	if isFlat(pix, stride) { // as most of a comic's paper and chroma
		b.coefficients[0], b.notZero = d.divide(int64(pix[0])*flatGain, 0), 1
		return
	}
	var rows, block [64]int64
	for y := range 8 {
		p := pix[y*stride:][:8:8]
		transform((*[8]int64)(rows[8*y:]),
			int64(p[0]), int64(p[1]), int64(p[2]), int64(p[3]), int64(p[4]), int64(p[5]), int64(p[6]), int64(p[7]))
	}
	for x := range 8 {
		r := rows[x : x+57 : x+57]
		transform((*[8]int64)(block[8*x:]), r[0], r[8], r[16], r[24], r[32], r[40], r[48], r[56])
	}
	b.coefficients[0], b.notZero = d.divide(block[0], 0), 1
	for i := 1; i < 64; i++ {
		v, half := block[zigzag[i]&63], d.half[i]
		if uint64(v+half-1) >= uint64(2*half-1) { // most are nearest to zero
			b.coefficients[i] = d.divide(v, i)
			b.notZero |= 1 << i
		}
	}
}

// divide divides a coefficient by step i, rounding to the nearest and halves away from zero.
func (d *divisors) divide(v int64, i int) int32 {
	if v < 0 {
		return -d.divide(-v, i)
	}
	return int32(uint32((v+d.half[i])>>(2*precision)) * d.inverse[i] >> inversePrecision)
}

// flatGain is what the transform makes of a sample that all of a block have.
const flatGain = 64 * c4 * c4

func isFlat(pix []int16, stride int) bool {
	first := pix[0]
	for y := range 8 {
		p := pix[y*stride:][:8:8]
		if (p[0]^first)|(p[1]^first)|(p[2]^first)|(p[3]^first)|(p[4]^first)|(p[5]^first)|(p[6]^first)|(p[7]^first) != 0 {
			return false
		}
	}
	return true
}

// transform transforms a row. Cosines of even u are the same from both ends of it, and those of odd u opposite.
func transform(out *[8]int64, p0, p1, p2, p3, p4, p5, p6, p7 int64) {
	s0, s1, s2, s3 := p0+p7, p1+p6, p2+p5, p3+p4
	out[0] = c4 * (s0 + s1 + s2 + s3)
	out[2] = c2*(s0-s3) + c6*(s1-s2)
	out[4] = c4 * (s0 - s1 - s2 + s3)
	out[6] = c6*(s0-s3) - c2*(s1-s2)
	d0, d1, d2, d3 := p0-p7, p1-p6, p2-p5, p3-p4
	out[1] = c1*d0 + c3*d1 + c5*d2 + c7*d3
	out[3] = c3*d0 - c7*d1 - c1*d2 - c5*d3
	out[5] = c5*d0 - c1*d1 + c7*d2 + c3*d3
	out[7] = c7*d0 - c5*d1 + c3*d2 - c1*d3
}
