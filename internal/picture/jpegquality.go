package picture

import (
	"encoding/binary"

	"plait/internal/picture/jpegenc"
)

// defaultQuality is used if the tables do not show a quality. It is high because ringing shows on lettering first.
const defaultQuality = 90

// The tables K.1 and K.2 of ITU-T T.81 in zig-zag order, which the Independent JPEG Group's encoder, and Go's, scale by
// quality.
var luminanceTable = [64]int{
	16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40,
	26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58, 51, 61, 60, 57, 51,
	56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87,
	95, 98, 103, 104, 103, 62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
}

var chrominanceTable = [64]int{
	17, 18, 18, 24, 21, 24, 47, 26, 26, 47, 99, 66, 56, 66, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
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
		for i, v := range scaledTable(&luminanceTable, quality) {
			d := int(v) - int(table[i])
			distance += max(d, -d)
		}
		if bestDistance < 0 || distance < bestDistance {
			best, bestDistance = quality, distance
		}
	}
	return best
}

// scaledTable is a table of T.81 for a quality of 1..100, by the formula of the Independent JPEG Group.
func scaledTable(base *[64]int, quality int) (table jpegenc.Table) {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	for i, v := range base {
		table[i] = uint8(min(max((v*scale+50)/100, 1), 255))
	}
	return table
}

// quantizationTables are the tables of the components in their order, as far as a baseline file can hold them: steps are
// 1 to 255. Empty when a component has none.
func (p *jpegProbe) quantizationTables() []jpegenc.Table {
	var tables []jpegenc.Table
	for _, c := range p.components {
		stored := p.tables[c.table]
		if stored == nil {
			return nil
		}
		var table jpegenc.Table
		for i, v := range stored {
			table[i] = uint8(min(max(v, 1), 255))
		}
		tables = append(tables, table)
	}
	return tables
}

// jpegSamplings are the names of what [jpegenc] writes.
var jpegSamplings = map[Subsampling]jpegenc.Sampling{
	"4:4:4": {H: 1, V: 1}, "4:2:2": {H: 2, V: 1}, "4:2:0": {H: 2, V: 2}, "4:4:0": {H: 1, V: 2}, "4:1:1": {H: 4, V: 1}, "4:1:0": {H: 4, V: 2},
}

// jpegParams are those of the file that like describes, or else of its quality. Where it does not say how chroma is sampled, or
// in a way that is never met, every pixel has its own: colored edges of lettering show what is missing first.
func jpegParams(like Info, gray bool) jpegenc.Params {
	params := jpegenc.Params{Gray: gray, Sampling: jpegenc.Sampling{H: 1, V: 1}}
	if s, ok := jpegSamplings[like.Subsampling]; ok {
		params.Sampling = s
	}
	switch n := len(like.Quantization); n {
	case 0:
		quality := like.Quality
		if quality == 0 {
			quality = defaultQuality
		}
		chroma := scaledTable(&chrominanceTable, quality)
		params.Tables = [3]jpegenc.Table{scaledTable(&luminanceTable, quality), chroma, chroma}
	default: // a gray page that got color has one
		for i := range params.Tables {
			params.Tables[i] = like.Quantization[min(i, n-1)]
		}
	}
	return params
}
