package jpegenc

import "math/bits"

// symbols counts how often each symbol occurs: of DC coefficients the class of a difference, of AC coefficients a run of
// zeros and a class (T.81, F.1.2).
type symbols struct{ dc, ac frequencies }

func (s *symbols) codes() codes { return codes{dc: newCode(&s.dc), ac: newCode(&s.ac)} }

// codes are the codes of the symbols.
type codes struct{ dc, ac code }

const (
	endOfBlock = 0x00
	// zeroRun stands for 16 zeros.
	zeroRun = 0xf0
)

// token is a symbol and the bits that follow it: from the lowest bit on 16 bits, the symbol, and which of four codes it
// is in.
type token uint32

func newToken(coding int, ac bool, symbol uint8, extra uint32) token {
	t := token(coding)<<25 | token(symbol)<<16 | token(extra)
	if ac {
		t |= 1 << 24
	}
	return t
}

func (t token) coding() int   { return int(t >> 25) }
func (t token) ac() bool      { return t>>24&1 != 0 }
func (t token) symbol() uint8 { return uint8(t >> 16) }
func (t token) extra() uint32 { return uint32(t & 0xffff) }

// pieceSize is how many tokens lie together: a slice that grows would for a while be there twice.
const pieceSize = 1 << 16

// stream is the tokens of a scan.
type stream struct{ pieces [][]token }

func (s *stream) add(t token) {
	last := len(s.pieces) - 1
	if last < 0 || len(s.pieces[last]) == pieceSize {
		s.pieces = append(s.pieces, make([]token, 0, pieceSize))
		last++
	}
	s.pieces[last] = append(s.pieces[last], t)
}

// block adds a block of coefficients in zig-zag order.
func (s *stream) block(b *[64]int32, c *component, seen *symbols) {
	class, extra := classOf(b[0] - c.dc)
	c.dc = b[0]
	seen.dc[class]++
	s.add(newToken(c.coding, false, class, extra))
	run := 0
	for _, v := range b[1:] {
		if v == 0 {
			run++
			continue
		}
		for ; run > 15; run -= 16 {
			seen.ac[zeroRun]++
			s.add(newToken(c.coding, true, zeroRun, 0))
		}
		class, extra := classOf(v)
		symbol := uint8(run)<<4 | class
		seen.ac[symbol]++
		s.add(newToken(c.coding, true, symbol, extra))
		run = 0
	}
	if run > 0 {
		seen.ac[endOfBlock]++
		s.add(newToken(c.coding, true, endOfBlock, 0))
	}
}

// classOf is how many bits the size of v takes, and those bits, in which a negative number is one less than its
// complement (T.81, F.1.2.1).
func classOf(v int32) (class uint8, extra uint32) {
	size := uint32(max(v, -v))
	class = uint8(bits.Len32(size))
	if v < 0 {
		return class, uint32(v-1) & (1<<class - 1)
	}
	return class, size
}
