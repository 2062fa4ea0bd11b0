package jpegenc

import (
	"bytes"
	"image"
)

// plane holds samples of one component, less 128. They are whole numbers: those of the pixels of a decoded file are so near
// to the samples of that file that rounding gives these back.
type plane struct {
	pix    []int32
	stride int
}

// strip is a row of MCUs in the components of the frame.
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
	full := func() plane { return plane{make([]int32, width*down), width} }
	s.planes[0] = full()
	if p.Gray {
		return s
	}
	s.cb, s.cr = full(), full()
	s.planes[1], s.planes[2] = s.cb, s.cr
	if p.Sampling != (Sampling{1, 1}) {
		narrow := width / p.Sampling.H
		s.planes[1], s.planes[2] = plane{make([]int32, 8*narrow), narrow}, plane{make([]int32, 8*narrow), narrow}
	}
	return s
}

// The conversion of ITU-T T.871, 7, with 16 bits behind the point.
const (
	yR, yG, yB    = 19595, 38470, 7471
	cbR, cbG, cbB = -11058, -21710, 32768
	crR, crG, crB = 32768, -27439, -5329
	half          = 1 << 15
)

// fill takes the pixels from row y on. Beyond the picture its last row and column go on, which costs the fewest bits and
// gives an odd last column its own chroma.
func (s *strip) fill(y int) {
	width, height := s.img.Rect.Dx(), s.img.Rect.Dy()
	for row := range 8 * s.sampling.V {
		at := min(y+row, height-1)
		line := s.img.Pix[at*s.img.Stride:][:4*width]
		from, to := row*s.planes[0].stride, (row+1)*s.planes[0].stride
		if s.gray {
			lumaRow(s.planes[0].pix[from:to], line)
			continue
		}
		luma, cb, cr := s.planes[0].pix[from:to], s.cb.pix[from:to], s.cr.pix[from:to]
		if s.known != nil {
			s.known.row(luma, cb, cr, line, at)
		} else {
			colorRow(luma, cb, cr, line)
		}
		extend(luma, width)
		extend(cb, width)
		extend(cr, width)
	}
	if !s.gray && s.sampling != (Sampling{1, 1}) {
		s.sample(&s.planes[1], &s.cb)
		s.sample(&s.planes[2], &s.cr)
	}
}

// colorRow converts the pixels of a row; what lies beyond them in luma, cb and cr is left.
func colorRow(luma, cb, cr []int32, line []byte) {
	width := len(line) / 4
	luma, cb, cr = luma[:width], cb[:width], cr[:width]
	for x := range luma {
		p := line[4*x : 4*x+3 : 4*x+3]
		r, g, b := int32(p[0]), int32(p[1]), int32(p[2])
		luma[x] = (yR*r+yG*g+yB*b+half)>>16 - 128
		cb[x] = min((cbR*r+cbG*g+cbB*b+half)>>16, 127)
		cr[x] = min((crR*r+crG*g+crB*b+half)>>16, 127)
	}
}

// chunk is how many pixels are compared at once: lettering changes little of a page.
const chunk = 64

// row converts row y of the picture, and takes the samples where it has their pixels.
func (k *Known) row(luma, cb, cr []int32, line []byte, y int) {
	was, width := k.Pixels.Pix[y*k.Pixels.Stride:][:len(line)], len(line)/4
	for from := 0; from < width; from += chunk {
		end := min(from+chunk, width)
		part, old := line[4*from:4*end], was[4*from:4*end]
		if bytes.Equal(part, old) {
			k.take(luma, cb, cr, from, end, y)
			continue
		}
		colorRow(luma[from:end], cb[from:end], cr[from:end], part)
		for x := from; x < end; x++ {
			if i := 4 * (x - from); [4]byte(part[i:]) == [4]byte(old[i:]) {
				k.take(luma, cb, cr, x, x+1, y)
			}
		}
	}
}

// take puts the samples of the pixels from to end of row y.
func (k *Known) take(luma, cb, cr []int32, from, end, y int) {
	s := k.Samples
	across := 0 // the power of two of the pixels that share a sample
	switch s.SubsampleRatio {
	case image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio440:
	case image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420:
		across = 1
	case image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410:
		across = 2
	}
	row := s.COffset(0, y)
	for x, sample := range s.Y[y*s.YStride+from : y*s.YStride+end] {
		c := row + (from+x)>>across
		luma[from+x], cb[from+x], cr[from+x] = int32(sample)-128, int32(s.Cb[c])-128, int32(s.Cr[c])-128
	}
}

// lumaRow takes one channel of pixels whose channels are equal.
func lumaRow(luma []int32, line []byte) {
	for x := range len(line) / 4 {
		luma[x] = int32(line[4*x]) - 128
	}
	extend(luma, len(line)/4)
}

// extend repeats the last of width samples to the end of a row.
func extend(row []int32, width int) {
	for x := width; x < len(row); x++ {
		row[x] = row[width-1]
	}
}

// sample takes the mean of the pixels that share a sample. Decoders that repeat each sample, and ours does, get back the
// samples that a file had.
func (s *strip) sample(to, from *plane) {
	count := int32(s.sampling.H * s.sampling.V)
	for y := range 8 {
		for x := range to.stride {
			sum := count / 2
			for v := range s.sampling.V {
				for _, c := range from.pix[(y*s.sampling.V+v)*from.stride+x*s.sampling.H:][:s.sampling.H] {
					sum += c
				}
			}
			// Counts are powers of two; a shift rounds negative numbers as it does positive ones.
			to.pix[y*to.stride+x] = sum >> shiftOf[count]
		}
	}
}

var shiftOf = [9]int32{1: 0, 2: 1, 4: 2, 8: 3}
