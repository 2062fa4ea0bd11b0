package picture

import (
	"bytes"
	"encoding/binary"
)

// The features of a VP8X chunk (WebP container specification, extended file format).
const (
	webpAnimation = 1 << 1
	webpAlpha     = 1 << 4
	webpProfile   = 1 << 5
)

// webpProbe is what the walk over the chunks of a WebP collects.
type webpProbe struct {
	info                      Info
	width, height             int64
	canvasWidth, canvasHeight int64
	extended                  bool
}

func probeWebP(b []byte, l Limits) (Info, error) {
	size := int64(binary.LittleEndian.Uint32(b[4:]))
	if size < 4 || size+8 > int64(len(b)) {
		return Info{}, invalid("the WebP is truncated: %d of %d bytes", len(b), size+8)
	}
	p := &webpProbe{info: Info{Format: WebP, Orientation: 1, Color: ColorRGB, Depth: 8}}
	for rest := b[12 : 8+size]; len(rest) > 0; {
		if len(rest) < 8 {
			return Info{}, invalid("the WebP is truncated in a chunk")
		}
		n := int64(binary.LittleEndian.Uint32(rest[4:]))
		if 8+n > int64(len(rest)) {
			return Info{}, invalid("the WebP is truncated in a chunk")
		}
		if err := p.chunk(string(rest[:4]), rest[8:8+n]); err != nil {
			return Info{}, err
		}
		rest = rest[min(8+n+n&1, int64(len(rest))):]
	}
	if p.info.source.webpFrame == nil {
		return Info{}, invalid("the WebP holds no image")
	}
	if p.extended && (p.width != p.canvasWidth || p.height != p.canvasHeight) {
		return Info{}, invalid("the WebP is damaged: image and canvas differ in size")
	}
	if err := l.checkSize(p.width, p.height); err != nil {
		return Info{}, err
	}
	p.info.Alpha = p.info.Alpha || p.info.source.webpAlpha != nil
	p.info.upright(int(p.width), int(p.height))
	return p.info, nil
}

func (p *webpProbe) chunk(name string, data []byte) error {
	switch name {
	case "VP8X":
		if len(data) < 10 {
			return invalid("the WebP is damaged: its header has %d bytes", len(data))
		}
		if data[0]&webpAnimation != 0 {
			return invalid("the WebP is animated; only still images are read")
		}
		p.extended = true
		p.canvasWidth, p.canvasHeight = 1+int64(uint24(data[4:])), 1+int64(uint24(data[7:]))
	case "ANIM", "ANMF":
		return invalid("the WebP is animated; only still images are read")
	case "ICCP":
		p.info.ICC = keptProfile(data)
	case "EXIF":
		p.info.Orientation = exifOrientation(bytes.TrimPrefix(data, []byte("Exif\x00\x00")))
	case "ALPH":
		if p.extended && p.info.source.webpAlpha == nil && len(data) > 0 {
			p.info.source.webpAlpha = data
		}
	case "VP8 ", "VP8L":
		if p.info.source.webpFrame != nil {
			return invalid("the WebP is damaged: it holds two images")
		}
		p.info.source.webpFrame = data
		if name == "VP8L" {
			return p.lossless(data)
		}
		return p.lossy(data)
	}
	return nil
}

// lossy reads the frame header of a VP8 key frame (RFC 6386, 9.1).
func (p *webpProbe) lossy(data []byte) error {
	if len(data) < 10 || data[0]&1 != 0 || !bytes.Equal(data[3:6], []byte{0x9d, 0x01, 0x2a}) {
		return invalid("the WebP is damaged: its image does not begin with a key frame")
	}
	if partition := uint24(data) >> 5; int(partition) > len(data)-10 {
		return invalid("the WebP is truncated in its image")
	}
	p.width, p.height = int64(binary.LittleEndian.Uint16(data[6:])&0x3fff), int64(binary.LittleEndian.Uint16(data[8:])&0x3fff)
	return nil
}

// lossless reads the header of the lossless form (WebP lossless bitstream specification, 3).
func (p *webpProbe) lossless(data []byte) error {
	if len(data) < 5 || data[0] != 0x2f {
		return invalid("the WebP is damaged: its lossless image has no signature")
	}
	bits := binary.LittleEndian.Uint32(data[1:])
	if bits>>29 != 0 {
		return invalid("the WebP is of an unknown lossless version")
	}
	p.width, p.height = int64(bits&0x3fff)+1, int64(bits>>14&0x3fff)+1
	p.info.Lossless = true
	p.info.Alpha = bits>>28&1 != 0
	p.info.source.webpAlpha = nil
	return nil
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

// appendRIFFChunk writes one chunk with its padding.
func appendRIFFChunk(b []byte, name string, data []byte) []byte {
	b = append(b, name...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(data)))
	b = append(b, data...)
	if len(data)%2 == 1 {
		b = append(b, 0)
	}
	return b
}

// webpFile wraps chunks as a file.
func webpFile(chunks []byte) []byte {
	b := make([]byte, 0, 12+len(chunks))
	b = append(b, "RIFF"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(4+len(chunks)))
	b = append(b, "WEBP"...)
	return append(b, chunks...)
}

// webpHeader is a VP8X chunk.
func webpHeader(features byte, width, height int) []byte {
	w, h := uint32(width-1), uint32(height-1)
	data := []byte{features, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)}
	return appendRIFFChunk(nil, "VP8X", data)
}
