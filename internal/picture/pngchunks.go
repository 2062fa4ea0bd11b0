package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
)

// appendPNGChunk writes one chunk with its checksum.
func appendPNGChunk(b []byte, name string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	start := len(b)
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
}

// withPNGChunks puts what the encoder does not write behind its header: the profile, or else the chunks that say what
// the sample values mean, and the density.
func withPNGChunks(b []byte, like Info, profile []byte) []byte {
	const headEnd = len(pngSignature) + 12 + 13
	var extra []byte
	if profile != nil {
		var data bytes.Buffer
		data.WriteString("ICC\x00\x00")
		z := zlib.NewWriter(&data)
		_, _ = z.Write(profile) // a bytes.Buffer takes everything
		_ = z.Close()
		extra = appendPNGChunk(extra, "iCCP", data.Bytes())
	} else if len(like.ICC) == 0 {
		extra = append(extra, like.PNGColor...)
	}
	extra = appendPNGDensity(extra, like.Density)
	if len(extra) == 0 {
		return b
	}
	out := make([]byte, 0, len(b)+len(extra))
	out = append(out, b[:headEnd]...)
	out = append(out, extra...)
	return append(out, b[headEnd:]...)
}

// appendPNGDensity writes a chunk pHYs, unless the density says nothing: pixels a meter, or their ratio.
func appendPNGDensity(b []byte, d Density) []byte {
	unit := byte(0)
	if m, ok := d.perMeter(); ok {
		d, unit = m, 1
	} else if d.Unit != DensityAspect || d.X == 0 || d.Y == 0 {
		return b
	}
	data := binary.BigEndian.AppendUint32(nil, d.X)
	data = binary.BigEndian.AppendUint32(data, d.Y)
	return appendPNGChunk(b, "pHYs", append(data, unit))
}
