package picture

// boolDecoder reads the booleans of a VP8 header (RFC 6386, 7.3). Beyond its end it reads zeros.
type boolDecoder struct {
	data []byte
	next int
	// value holds the bits that are looked at, below its highest byte those that follow.
	value, span uint32
	shifted     int
}

func newBoolDecoder(data []byte) *boolDecoder {
	d := &boolDecoder{data: data, span: 255}
	d.value = uint32(d.read())<<8 | uint32(d.read())
	return d
}

func (d *boolDecoder) read() byte {
	d.next++
	if d.next > len(d.data) {
		return 0
	}
	return d.data[d.next-1]
}

// exhausted reports whether more was read than there is.
func (d *boolDecoder) exhausted() bool { return d.next > len(d.data)+2 }

// flag reads a boolean that is as likely as not.
func (d *boolDecoder) flag() bool {
	split := 1 + (d.span-1)*128>>8
	is := d.value >= split<<8
	if is {
		d.value -= split << 8
		d.span -= split
	} else {
		d.span = split
	}
	for d.span < 128 {
		d.value, d.span = d.value<<1, d.span<<1
		if d.shifted++; d.shifted == 8 {
			d.value |= uint32(d.read())
			d.shifted = 0
		}
	}
	return is
}

// bits reads a number of n bits.
func (d *boolDecoder) bits(n int) (v uint32) {
	for range n {
		v <<= 1
		if d.flag() {
			v |= 1
		}
	}
	return v
}

// optional reads a number of n bits with a sign, where a flag says that there is one; else it is 0.
func (d *boolDecoder) optional(n int) int {
	if !d.flag() {
		return 0
	}
	v := int(d.bits(n))
	if d.flag() {
		return -v
	}
	return v
}

// skipFilter reads over the filter's type, level and sharpness, and its changes by block (RFC 6386, 9.6).
func (d *boolDecoder) skipFilter() {
	d.bits(1 + 6 + 3)
	changes := d.flag()
	if changes && d.flag() {
		for range 8 {
			d.optional(6)
		}
	}
}
