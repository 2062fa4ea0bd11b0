package jpegenc

import "encoding/binary"

// The markers of T.81, table B.1, that are written.
const (
	markerSOF0 = 0xc0
	markerDHT  = 0xc4
	markerEOI  = 0xd9
	markerSOS  = 0xda
	markerDQT  = 0xdb
)

// segment begins a segment of n bytes beside its marker and its length.
func segment(b []byte, marker byte, n int) []byte {
	return binary.BigEndian.AppendUint16(append(b, 0xff, marker), uint16(n+2))
}

// header writes the tables, the frame and the header of the one scan (T.81, B.2).
func (e *encoder) header(b []byte, codes []codes) []byte {
	for i, c := range e.components {
		b = append(segment(b, markerDQT, 65), byte(i))
		for _, step := range c.table {
			b = append(b, max(step, 1))
		}
	}
	b = append(segment(b, markerSOF0, 6+3*len(e.components)), 8)
	b = binary.BigEndian.AppendUint16(b, uint16(e.img.Rect.Dy()))
	b = binary.BigEndian.AppendUint16(b, uint16(e.img.Rect.Dx()))
	b = append(b, byte(len(e.components)))
	for i, c := range e.components {
		b = append(b, byte(c.id), byte(c.h<<4|c.v), byte(i))
	}
	for i := range codes {
		b = codes[i].dc.append(b, byte(i))
		b = codes[i].ac.append(b, byte(0x10|i))
	}
	b = append(segment(b, markerSOS, 4+2*len(e.components)), byte(len(e.components)))
	for _, c := range e.components {
		b = append(b, byte(c.id), byte(c.coding<<4|c.coding))
	}
	return append(b, 0, 63, 0)
}

// append writes a code as a segment; where says for which coefficients and as which of their codes.
func (c *code) append(b []byte, where byte) []byte {
	b = append(segment(b, markerDHT, 17+len(c.symbols)), where)
	b = append(b, c.lengths[:]...)
	return append(b, c.symbols...)
}
