package jpegenc

import "math/bits"

// symbols counts how often each symbol occurs: of DC coefficients the class of a difference, of AC coefficients a run of
// zeros and a class (T.81, F.1.2).
type symbols struct{ dc, ac frequencies }

func (s *symbols) add(other *symbols) {
	for i := range s.dc {
		s.dc[i] += other.dc[i]
		s.ac[i] += other.ac[i]
	}
}

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

// tokenKind is how many bits tell a symbol and its code.
const tokenKind = 10

func newToken(coding int, ac bool, symbol uint8, extra uint32) token {
	t := token(coding)<<25 | token(symbol)<<16 | token(extra)
	if ac {
		t |= 1 << 24
	}
	return t
}

// kind is the symbol and its code, below 1<<tokenKind.
func (t token) kind() uint32  { return uint32(t) >> 16 & (1<<tokenKind - 1) }
func (t token) extra() uint32 { return uint32(t & 0xffff) }

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
