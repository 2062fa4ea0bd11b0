package picture

import "encoding/binary"

// defaultQuality is for tables that tell nothing. It is high because lettering shows ringing first.
const defaultQuality = 90

// luminanceTable is the table K.1 of ITU-T T.81 in zig-zag order, which the Independent JPEG Group's encoder, and Go's,
// scale by quality.
var luminanceTable = [64]int{
	16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40,
	26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
	56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87,
	95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
}

// quantization keeps the tables of a DQT segment (ITU-T T.81, B.2.4.1).
func (p *jpegProbe) quantization(data []byte) error {
	for len(data) > 0 {
		wide, id := data[0]>>4, data[0]&15
		size := 64 * (1 + int(wide))
		if wide > 1 || id > 3 || len(data) < 1+size {
			return invalid("the JPEG is damaged: a quantization table is malformed")
		}
		table := new([64]uint16)
		for i := range table {
			if wide == 1 {
				table[i] = binary.BigEndian.Uint16(data[1+2*i:])
			} else {
				table[i] = uint16(data[1+i])
			}
		}
		p.tables[id] = table
		data = data[1+size:]
	}
	return nil
}

// estimateQuality is the quality whose luminance table is nearest to that of the file by the sum of differences; it is
// exact for files written with scaled standard tables, which most are.
func (p *jpegProbe) estimateQuality() int {
	table := p.tables[p.components[0].table]
	if table == nil {
		return defaultQuality
	}
	best, bestDistance := defaultQuality, -1
	for quality := 100; quality >= 1; quality-- {
		distance := 0
		for i, v := range scaledLuminance(quality) {
			d := v - int(table[i])
			distance += max(d, -d)
		}
		if bestDistance < 0 || distance < bestDistance {
			best, bestDistance = quality, distance
		}
	}
	return best
}

// scaledLuminance is the luminance table for a quality of 1..100, by the formula of the Independent JPEG Group.
func scaledLuminance(quality int) (table [64]int) {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	for i, v := range luminanceTable {
		table[i] = min(max((v*scale+50)/100, 1), 255)
	}
	return table
}
