package jpegenc

import "image"

// plane holds samples of one component, less 128. They are integers: the pixels of a decoded file are so close to its samples that
// rounding restores these.
type plane struct {
	pix    []int16
	stride int
}

// strip is a row of MCUs as components of the frame.
type strip struct {
	img      *image.NRGBA
	gray     bool
	sampling Sampling
	known    *Known
	planes   [3]plane
	// cb and cr are chroma before it is sampled.
	cb, cr plane
}

func newStrip(img *image.NRGBA, p Params) *strip {
	across, down := 8*p.Sampling.H, 8*p.Sampling.V
	width := (img.Rect.Dx() + across - 1) / across * across
	s := &strip{img: img, gray: p.Gray, sampling: p.Sampling, known: p.Known}
	full := func() plane { return plane{make([]int16, width*down), width} }
	s.planes[0] = full()
	if p.Gray {
		s.known = nil
		return s
	}
	s.cb, s.cr = full(), full()
	s.planes[1], s.planes[2] = s.cb, s.cr
	if s.sampled() {
		narrow := width / p.Sampling.H
		s.planes[1], s.planes[2] = plane{make([]int16, 8*narrow), narrow}, plane{make([]int16, 8*narrow), narrow}
	}
	return s
}

// sampled reports whether pixels share chroma samples.
func (s *strip) sampled() bool { return s.sampling != (Sampling{1, 1}) }

// fill converts the pixels from row y on for the MCUs from mcu on. MCUs with known pixels use the known samples.
func (s *strip) fill(y, mcu int) {
	across, width := 8*s.sampling.H, s.img.Rect.Dx()
	for from := mcu * across; from < width; {
		if s.known.isWhole(s.img, from, y, s.sampling) {
			s.known.take(&s.planes, from, y, s.sampling)
			from += across
			continue
		}
		to := from + across
		for to < width && !s.known.isWhole(s.img, to, y, s.sampling) {
			to += across
		}
		s.convert(from, to, y)
		from = to
	}
}

// convert converts the columns from..to-1. Beyond the picture it repeats the last row and column, which costs the fewest bits and gives an
// odd last column its own chroma.
func (s *strip) convert(from, to, y int) {
	end, height := min(to, s.img.Rect.Dx()), s.img.Rect.Dy()
	for row := range 8 * s.sampling.V {
		at := min(y+row, height-1)
		line := s.img.Pix[at*s.img.Stride:][4*from : 4*end]
		left, right := row*s.planes[0].stride+from, row*s.planes[0].stride+to
		luma := s.planes[0].pix[left:right]
		if s.gray {
			lumaRow(luma, line)
			extend(luma, end-from)
			continue
		}
		cb, cr := s.cb.pix[left:right], s.cr.pix[left:right]
		colorRow(luma, cb, cr, line)
		if s.known != nil {
			s.known.put(luma, cb, cr, line, from, at)
		}
		extend(luma, end-from)
		extend(cb, end-from)
		extend(cr, end-from)
	}
	if !s.gray && s.sampled() {
		s.sample(&s.planes[1], &s.cb, from, to)
		s.sample(&s.planes[2], &s.cr, from, to)
	}
}

// The conversion of ITU-T T.871, 7, with 16 bits behind the point.
const (
	yR, yG, yB    = 19595, 38470, 7471
	cbR, cbG, cbB = -11058, -21710, 32768
	crR, crG, crB = 32768, -27439, -5329
	half          = 1 << 15
)

// colorRow converts the pixels of a row; what lies beyond them in luma, cb and cr is left.
func colorRow(luma, cb, cr []int16, line []byte) {
	width := len(line) / 4
	luma, cb, cr = luma[:width], cb[:width], cr[:width]
	for x := range luma {
		p := line[4*x : 4*x+3 : 4*x+3]
		r, g, b := int32(p[0]), int32(p[1]), int32(p[2])
		luma[x] = int16((yR*r+yG*g+yB*b+half)>>16 - 128)
		cb[x] = int16(min((cbR*r+cbG*g+cbB*b+half)>>16, 127))
		cr[x] = int16(min((crR*r+crG*g+crB*b+half)>>16, 127))
	}
}

// lumaRow takes one channel of pixels whose channels are equal.
func lumaRow(luma []int16, line []byte) {
	for x := range len(line) / 4 {
		luma[x] = int16(line[4*x]) - 128
	}
}

// extend repeats the last of width samples to the end of a row.
func extend(row []int16, width int) {
	for x := width; x < len(row); x++ {
		row[x] = row[width-1]
	}
}

// sample takes the mean of the pixels that share a sample, of the columns from and up to to. Decoders that repeat each sample get
// back the samples that a file had.
func (s *strip) sample(to, from *plane, left, right int) {
	count := int32(s.sampling.H * s.sampling.V)
	shift := shiftOf[count]
	for y := range 8 {
		out := to.pix[y*to.stride+left/s.sampling.H : y*to.stride+right/s.sampling.H]
		for x := range out {
			sum := count / 2
			for v := range s.sampling.V {
				for _, c := range from.pix[(y*s.sampling.V+v)*from.stride+left+x*s.sampling.H:][:s.sampling.H] {
					sum += int32(c)
				}
			}
			// Counts are powers of two; a shift rounds negative numbers as it does positive ones.
			out[x] = int16(sum >> shift)
		}
	}
}

var shiftOf = [9]int32{1: 0, 2: 1, 4: 2, 8: 3}
