package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The markers of ITU-T T.81, table B.1, that the probe reads.
const (
	markerSOF0  = 0xc0
	markerSOF1  = 0xc1
	markerSOF2  = 0xc2
	markerDHT   = 0xc4
	markerJPG   = 0xc8
	markerDAC   = 0xcc
	markerSOF15 = 0xcf
	markerRST0  = 0xd0
	markerRST7  = 0xd7
	markerSOI   = 0xd8
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerDQT   = 0xdb
	markerAPP0  = 0xe0
	markerAPP1  = 0xe1
	markerAPP2  = 0xe2
	markerAPP14 = 0xee
	markerTEM   = 0x01
)

// maxScans bounds the scans over the image, each of which a file can request with a few bytes. Encoders write 10; the smallest files of
// optimizers have about 20.
const maxScans = 50

// jpegProbe is what the walk over the segments of a JPEG collects.
type jpegProbe struct {
	limits        Limits
	info          Info
	width, height int
	components    []jpegComponent
	tables        [4]*[64]uint16 // quantization tables in zig-zag order
	profile       map[byte][]byte
	profileParts  byte
	adobe         bool
	scans         int
	scanBytes     int
	ended         bool
}

type jpegComponent struct{ id, h, v, table byte }

func probeJPEG(b []byte, l Limits) (Info, error) {
	p := &jpegProbe{limits: l, info: Info{Format: JPEG, Orientation: 1, Depth: 8}}
	if err := p.walk(b[2:]); err != nil {
		return Info{}, err
	}
	switch {
	case len(p.components) == 0:
		return Info{}, invalid("the JPEG has no image: it holds no frame")
	case p.scans == 0:
		return Info{}, invalid("the JPEG has no image: it holds no scan")
	case !p.ended:
		return Info{}, invalid("the JPEG is truncated: its end marker is missing")
	}
	if err := p.checkPlausible(); err != nil {
		return Info{}, err
	}
	p.finish()
	return p.info, nil
}

// walk goes from marker to marker. Bytes between segments are skipped, as decoders do.
func (p *jpegProbe) walk(b []byte) error {
	for len(b) > 0 {
		i := bytes.IndexByte(b, 0xff)
		if i < 0 {
			return nil
		}
		for b = b[i:]; len(b) > 0 && b[0] == 0xff; { // a marker may be filled up with more of them
			b = b[1:]
		}
		if len(b) == 0 {
			return nil
		}
		marker := b[0]
		b = b[1:]
		switch {
		case marker == markerEOI:
			p.ended = true
			return nil
		case marker == 0, marker == markerTEM, marker == markerSOI, marker >= markerRST0 && marker <= markerRST7:
			continue
		}
		if len(b) < 2 {
			return nil
		}
		size := int(binary.BigEndian.Uint16(b))
		if size < 2 {
			return invalid("the JPEG is damaged: a segment has %d bytes", size)
		}
		if size > len(b) {
			return invalid("the JPEG is truncated in its header")
		}
		if err := p.segment(marker, b[2:size]); err != nil {
			return err
		}
		b = b[size:]
		if marker == markerSOS {
			n := scanLength(b)
			p.scanBytes += n
			b = b[n:]
		}
	}
	return nil
}

// scanLength is the number of bytes before the next marker that is neither a stuffed zero nor a restart marker.
func scanLength(b []byte) int {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], 0xff)
		if i < 0 || at+i+1 >= len(b) {
			return len(b)
		}
		next := b[at+i+1]
		switch {
		case next == 0, next >= markerRST0 && next <= markerRST7:
			at += i + 2
		case next == 0xff: // fill bytes
			at += i + 1
		default:
			return at + i
		}
	}
}

func (p *jpegProbe) segment(marker byte, data []byte) error {
	switch marker {
	case markerDQT:
		return p.quantization(data)
	case markerAPP0:
		p.jfif(data)
	case markerAPP1:
		if tiff, found := bytes.CutPrefix(data, []byte("Exif\x00\x00")); found && p.info.Orientation == 1 {
			p.info.Orientation = exifOrientation(tiff)
		}
	case markerAPP2:
		p.profilePart(data)
	case markerAPP14:
		p.adobe = p.adobe || bytes.HasPrefix(data, []byte("Adobe"))
	case markerSOS:
		if len(p.components) == 0 {
			return invalid("the JPEG is damaged: a scan comes before its frame")
		}
		if p.scans++; p.scans > maxScans {
			return invalid("the JPEG has more than %d scans", maxScans)
		}
	case markerDHT, markerJPG, markerDAC:
	default:
		if marker >= markerSOF0 && marker <= markerSOF15 {
			return p.frame(marker, data)
		}
	}
	return nil
}

func (p *jpegProbe) frame(marker byte, data []byte) error {
	switch {
	case marker > markerSOF2:
		return invalid("the JPEG is of a kind that is not read (process SOF%d: lossless, hierarchical or arithmetic)", marker-markerSOF0)
	case len(p.components) != 0:
		return invalid("the JPEG is damaged: it holds two frames")
	case len(data) < 6 || len(data) != 6+3*int(data[5]):
		return invalid("the JPEG is damaged: its frame header is malformed")
	case data[0] != 8:
		return invalid("the JPEG has %d bits a sample; only 8 are read", data[0])
	}
	p.height = int(binary.BigEndian.Uint16(data[1:]))
	p.width = int(binary.BigEndian.Uint16(data[3:]))
	if p.height == 0 {
		return invalid("the JPEG does not say its height in its frame header")
	}
	if err := p.limits.checkSize(int64(p.width), int64(p.height)); err != nil {
		return err
	}
	switch n := data[5]; n {
	case 1:
		p.info.Color = ColorGray
	case 3:
		p.info.Color = ColorRGB
	case 4:
		p.info.Color = ColorCMYK
	default:
		return invalid("the JPEG has %d components; 1, 3 and 4 are read", n)
	}
	for c := data[6:]; len(c) > 0; c = c[3:] {
		k := jpegComponent{id: c[0], h: c[1] >> 4, v: c[1] & 15, table: c[2]}
		if k.h < 1 || k.h > 4 || k.v < 1 || k.v > 4 || k.table > 3 {
			return invalid("the JPEG is damaged: a component is sampled %dx%d with table %d", k.h, k.v, k.table)
		}
		p.components = append(p.components, k)
	}
	p.info.Progressive = marker == markerSOF2
	return nil
}

// checkPlausible refuses a file that is too short for its size before anything of that size is allocated: with any
// Huffman code every block of 8x8 samples costs at least one bit for its DC value, and in a sequential file one more for
// its end (ITU-T T.81, F.1.2 and G.1.2).
func (p *jpegProbe) checkPlausible() error {
	var hMax, vMax int64 = 1, 1
	for _, c := range p.components {
		hMax, vMax = max(hMax, int64(c.h)), max(vMax, int64(c.v))
	}
	var blocks int64
	for _, c := range p.components {
		across := (int64(p.width)*int64(c.h) + 8*hMax - 1) / (8 * hMax)
		down := (int64(p.height)*int64(c.v) + 8*vMax - 1) / (8 * vMax)
		blocks += across * down
	}
	bits := blocks
	if !p.info.Progressive {
		bits *= 2
	}
	if int64(p.scanBytes)*8 < bits {
		return invalid("the JPEG is truncated: %d bytes cannot hold %d x %d pixels", p.scanBytes, p.width, p.height)
	}
	return nil
}

func (p *jpegProbe) finish() {
	p.info.upright(p.width, p.height)
	p.info.Quality = p.estimateQuality()
	p.info.Quantization = p.quantizationTables()
	p.info.ICC = p.assembleProfile()
	if p.info.Color == ColorCMYK {
		p.info.ICC = nil
		p.info.source.jpegNoAdobe = !p.adobe
	}
	if len(p.components) == 3 {
		p.info.Subsampling = subsampling(p.components)
	}
}

// subsampling compares luma with chroma, whose two components have the same factors in every file that is met.
func subsampling(c []jpegComponent) Subsampling {
	h, v := int(c[0].h/max(c[1].h, 1)), int(c[0].v/max(c[1].v, 1))
	for name, s := range jpegSamplings {
		if s.H == h && s.V == v {
			return name
		}
	}
	return Subsampling(fmt.Sprintf("%dx%d", h, v))
}
