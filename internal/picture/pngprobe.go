package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// deflateRatio is the greatest compression ratio of deflate: 258 bytes in two bits (RFC 1951, 3.2.5).
const deflateRatio = 1032

// PNG color types (W3C PNG, 11.2.1).
const (
	pngGray      = 0
	pngRGB       = 2
	pngPalette   = 3
	pngGrayAlpha = 4
	pngRGBA      = 6
)

var pngDepths = map[byte][]byte{
	pngGray: {1, 2, 4, 8, 16}, pngRGB: {8, 16}, pngPalette: {1, 2, 4, 8}, pngGrayAlpha: {8, 16}, pngRGBA: {8, 16},
}

// pngProbe is what the walk over the chunks of a PNG collects.
type pngProbe struct {
	limits        Limits
	info          Info
	width, height int64
	colorType     byte
	interlaced    bool
	clear         []byte // of a transparency chunk before the pixels
	data          int64  // bytes of IDAT
	profiles      int
	ended         bool
}

func probePNG(b []byte, l Limits) (Info, error) {
	p := &pngProbe{limits: l, info: Info{Format: PNG, Orientation: 1}}
	rest := b[len(pngSignature):]
	for first := true; len(rest) > 0 && !p.ended; first = false {
		if len(rest) < 12 {
			return Info{}, invalid("the PNG is truncated")
		}
		size := uint64(binary.BigEndian.Uint32(rest))
		if size+12 > uint64(len(rest)) {
			return Info{}, invalid("the PNG is truncated")
		}
		name, data, end := string(rest[4:8]), rest[8:8+size], 12+size
		if crc32.ChecksumIEEE(rest[4:8+size]) != binary.BigEndian.Uint32(rest[8+size:]) {
			return Info{}, invalid("the PNG is damaged: the checksum of a chunk is wrong")
		}
		if first != (name == "IHDR") {
			return Info{}, invalid("the PNG is damaged: its header is missing or double")
		}
		if err := p.chunk(name, data, rest[:end]); err != nil {
			return Info{}, err
		}
		rest = rest[end:]
	}
	if !p.ended {
		return Info{}, invalid("the PNG is truncated: its end chunk is missing")
	}
	return p.finish(b[len(pngSignature):])
}

func (p *pngProbe) chunk(name string, data, whole []byte) error {
	switch name {
	case "IHDR":
		return p.header(data)
	case "PLTE":
		if len(data)%3 != 0 || len(data) > 768 || len(data) == 0 {
			return invalid("the PNG is damaged: its palette has %d bytes", len(data))
		}
		p.palette(data)
	case "tRNS":
		p.transparency(data)
	case "IDAT":
		p.data += int64(len(data))
	case "IEND":
		p.ended = true
	case "acTL":
		if len(data) >= 4 && binary.BigEndian.Uint32(data) > 1 {
			return invalid("the PNG is animated; only still images are read")
		}
	case "iCCP":
		p.profile(data)
	case "sRGB", "gAMA", "cHRM":
		if len(p.info.PNGColor)+len(whole) <= 256 {
			p.info.PNGColor = append(p.info.PNGColor, whole...)
		}
	case "pHYs":
		p.density(data)
	case "eXIf":
		p.info.Orientation = exifOrientation(data)
	}
	return nil
}

func (p *pngProbe) header(data []byte) error {
	if len(data) != 13 {
		return invalid("the PNG is damaged: its header has %d bytes", len(data))
	}
	p.width, p.height = int64(binary.BigEndian.Uint32(data)), int64(binary.BigEndian.Uint32(data[4:]))
	if err := p.limits.checkSize(p.width, p.height); err != nil {
		return err
	}
	depth := data[8]
	p.colorType, p.interlaced = data[9], data[12] == 1
	if !bytes.Contains(pngDepths[p.colorType], []byte{depth}) || data[10] != 0 || data[11] != 0 || data[12] > 1 {
		return invalid("the PNG is damaged: its header names an unknown kind of pixels")
	}
	p.info.Depth = int(depth)
	p.info.Color = map[byte]ColorKind{
		pngGray: ColorGray, pngGrayAlpha: ColorGray, pngRGB: ColorRGB, pngRGBA: ColorRGB, pngPalette: ColorPalette,
	}[p.colorType]
	p.info.Alpha = p.colorType == pngGrayAlpha || p.colorType == pngRGBA
	return nil
}

func (p *pngProbe) palette(data []byte) {
	if p.colorType != pngPalette {
		return // a suggestion for displays of few colors
	}
	p.info.Palette = make([]byte, 0, len(data)/3*4)
	for ; len(data) > 0; data = data[3:] {
		p.info.Palette = append(p.info.Palette, data[0], data[1], data[2], 255)
	}
}

func (p *pngProbe) transparency(data []byte) {
	p.info.Alpha = true
	if p.data == 0 {
		p.clear = data
	}
	for i, alpha := range data {
		if at := 4*i + 3; at < len(p.info.Palette) {
			p.info.Palette[at] = alpha
		}
	}
}

// profile keeps the first profile. It does not even decompress others, because a file could contain thousands.
func (p *pngProbe) profile(data []byte) {
	_, compressed, found := bytes.Cut(data, []byte{0})
	if p.profiles++; p.profiles > 1 || !found || len(compressed) < 2 || compressed[0] != 0 {
		return
	}
	p.info.ICC = keptProfile(inflateProfile(compressed[1:]))
}

func (p *pngProbe) density(data []byte) {
	if len(data) != 9 || data[8] > 1 {
		return
	}
	d := Density{X: binary.BigEndian.Uint32(data), Y: binary.BigEndian.Uint32(data[4:]), Unit: DensityAspect}
	if data[8] == 1 {
		d.Unit = DensityMeter
	}
	if d.X != 0 && d.Y != 0 {
		p.info.Density = d
	}
}

// finish is what the chunks, which are whole, say in all.
func (p *pngProbe) finish(b []byte) (Info, error) {
	if p.info.Color == ColorPalette && len(p.info.Palette) == 0 {
		return Info{}, invalid("the PNG is damaged: its palette is missing")
	}
	channels := map[byte]int64{pngGray: 1, pngRGB: 3, pngPalette: 1, pngGrayAlpha: 2, pngRGBA: 4}[p.colorType]
	// No row is counted with its filter byte: the bound holds for interlaced files too.
	need := (p.width*channels*int64(p.info.Depth) + 7) / 8 * p.height
	if p.data == 0 || need/deflateRatio > p.data {
		return Info{}, invalid("the PNG is truncated: %d bytes cannot hold %d x %d pixels", p.data, p.width, p.height)
	}
	if p.info.Depth == 16 {
		p.info.source.deep = &deepPNG{
			width: int(p.width), height: int(p.height), channels: int(channels), interlaced: p.interlaced, chunks: b,
		}
		if len(p.clear) == int(2*channels) && channels%2 == 1 { // no channel of alpha
			p.info.source.deep.clear = p.clear
		}
	}
	p.info.upright(int(p.width), int(p.height))
	return p.info, nil
}
