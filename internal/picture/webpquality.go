package picture

import "math"

// webpDefaultQuality is for files of which nothing is known. It is high because lettering shows ringing first.
const webpDefaultQuality = 90

// coarsest is the last quantizer index of VP8 (RFC 6386, 9.6).
const coarsest = 127

// vp8Quality is libwebp's quality, 1..100, for the quantizers of a lossy frame, or 0 where the header is damaged.
//
// libwebp (src/enc/quant_enc.c) turns a quality into a compression factor c, the cube root of a line with a bend, and c into the
// index 127(1-c) of a segment, where c is raised to a power that is 1 in the mean over the picture: so that the mean of log c,
// weighted by how many blocks are in each segment, gives it back.
func vp8Quality(data []byte) int {
	size := int(uint24(data) >> 5)
	d := newBoolDecoder(data[10:][:size])
	d.bits(2) // color space and clamping
	var s segments
	if d.flag() {
		s.read(d)
	}
	d.skipFilter()
	d.bits(2) // partitions
	base := int(d.bits(7))
	if d.exhausted() {
		return 0
	}
	var logC float64
	for i, share := range s.shares() {
		if index := s.index(i, base); index > 0 { // cut off to a whole number
			logC += share * math.Log(1-min(float64(index)+0.5, coarsest-0.5)/coarsest)
		}
	}
	linear := math.Exp(3 * logC)
	quality := 1.5 * linear
	if linear >= 0.5 {
		quality = (linear + 1) / 2
	}
	return min(max(int(100*quality+0.5), 1), 100)
}

// segments are the segment header of a frame (RFC 6386, 9.3).
type segments struct {
	present, absolute bool
	quantizers        [4]int
	// probs are the chances, of 255, of the left branches of the tree of segments: of 0 and 1, of 0, and of 2.
	probs [3]float64
}

func (s *segments) read(d *boolDecoder) {
	s.present = true
	for i := range s.probs {
		s.probs[i] = 1
	}
	withMap := d.flag()
	if d.flag() {
		s.absolute = d.flag()
		for i := range s.quantizers {
			s.quantizers[i] = d.optional(7)
		}
		for range s.quantizers {
			d.optional(6) // the strength of the filter
		}
	}
	if withMap {
		for i := range s.probs {
			if d.flag() {
				s.probs[i] = float64(d.bits(8)) / 255
			}
		}
	}
}

// shares are how much of the picture lies in each segment.
func (s *segments) shares() [4]float64 {
	if !s.present {
		return [4]float64{1}
	}
	a, b, c := s.probs[0], s.probs[1], s.probs[2]
	return [4]float64{a * b, a * (1 - b), (1 - a) * c, (1 - a) * (1 - c)}
}

// index is the quantizer index of segment i.
func (s *segments) index(i, base int) int {
	switch {
	case !s.present:
	case s.absolute:
		base = s.quantizers[i]
	default:
		base += s.quantizers[i]
	}
	return min(max(base, 0), coarsest)
}
