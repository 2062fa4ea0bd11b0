package jpegenc

import "encoding/binary"

// scan writes the tokens and the end of the file.
func (e *encoder) scan(b []byte, codes []codes, bands []band) []byte {
	var table [1 << tokenKind]word
	for i := range codes {
		for symbol := range 256 {
			table[newToken(i, false, uint8(symbol), 0).kind()] = codes[i].dc.word(uint8(symbol))
			table[newToken(i, true, uint8(symbol), 0).kind()] = codes[i].ac.word(uint8(symbol))
		}
	}
	w := bitWriter{b: b}
	for i := range bands {
		for _, t := range bands[i].tokens {
			code := table[t.kind()]
			w.write(code.bits|uint64(t.extra()), code.size)
		}
	}
	return append(w.end(), 0xff, markerEOI)
}

// word is the code of a symbol, with room for the bits that follow it.
type word struct {
	bits uint64
	size uint8
}

func (c *code) word(symbol uint8) word {
	class := symbol & 15
	return word{bits: uint64(c.bits[symbol]) << class, size: c.size[symbol] + class}
}

// bitWriter writes bits from the highest to the lowest of each byte.
type bitWriter struct {
	b       []byte
	pending uint64
	count   uint8
}

// write takes the lowest n bits of v, at most 32.
func (w *bitWriter) write(v uint64, n uint8) {
	w.pending = w.pending<<n | v
	if w.count += n; w.count < 32 {
		return
	}
	w.count -= 32
	four := uint32(w.pending >> w.count)
	if (^four-0x01010101)&four&0x80808080 == 0 { // no byte has all bits set
		w.b = binary.BigEndian.AppendUint32(w.b, four)
		return
	}
	for shift := 24; shift >= 0; shift -= 8 {
		w.add(byte(four >> shift))
	}
}

// add writes a byte.
func (w *bitWriter) add(v byte) {
	w.b = append(w.b, v)
	if v == 0xff { // or it would begin a marker
		w.b = append(w.b, 0)
	}
}

// end fills the last byte up with ones.
func (w *bitWriter) end() []byte {
	for w.write(0x7f, 7); w.count >= 8; {
		w.count -= 8
		w.add(byte(w.pending >> w.count))
	}
	return w.b
}
