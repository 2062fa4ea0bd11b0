package content

import (
	"bytes"
	"encoding/hex"
	"strconv"
)

// Kind is the type of an operand.
type Kind int

// The types of operands. Other stands for true, false, null and dictionaries, which no drawing operator reads.
const (
	Number Kind = iota
	Name
	String
	Array
	Other
)

// Operand is one operand of an operator.
type Operand struct {
	Kind   Kind
	Number float64
	// Text is the decoded name or string.
	Text []byte
	// List are the elements of an array, and the keys and values of a dictionary.
	List []Operand
	// Start and End are the range of its bytes in the stream.
	Start, End int
}

// Operator is one operator of a stream with its operands.
type Operator struct {
	Name     string
	Operands []Operand
	// Start and End are the range of bytes from the first operand to the end of the operator. An inline image is one operator, BI, up to the
	// end of its EI.
	Start, End int
}

const (
	// maxOperands bounds the operands before an operator, and maxDepth the nesting of arrays and dictionaries. A content stream needs few;
	// ISO 32000-1, Annex C, names 33 and 28 as limits of an implementation.
	maxOperands = 4096
	maxDepth    = 64
)

// Scan calls visit for each operator of a stream, until the end or until visit returns false. Operands of an unfinished last operator are
// left out.
func Scan(stream []byte, visit func(Operator) bool) {
	s := scanner{b: stream}
	for {
		op, ok := s.operator()
		if !ok || !visit(op) {
			return
		}
	}
}

type scanner struct {
	b []byte
	i int
}

// operator reads up to the next operator; ok is false at the end of the stream.
func (s *scanner) operator() (op Operator, ok bool) {
	op.Start = -1
	for {
		s.space()
		if s.i >= len(s.b) {
			return op, false
		}
		start := s.i
		if op.Start < 0 {
			op.Start = start
		}
		if isDelimiter(s.b[s.i]) || isNumeric(s.b[s.i]) {
			operand, read := s.operand(0)
			if !read {
				s.i = start + 1 // a stray delimiter
				continue
			}
			if len(op.Operands) < maxOperands {
				op.Operands = append(op.Operands, operand)
			}
			continue
		}
		word := s.word()
		switch word {
		case "true", "false", "null":
			op.Operands = append(op.Operands, Operand{Kind: Other, Start: start, End: s.i})
			continue
		case "BI":
			s.inlineImage()
		}
		op.Name, op.End = word, s.i
		return op, true
	}
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case isSpace(c):
			s.i++
		case c == '%':
			for s.i < len(s.b) && s.b[s.i] != '\n' && s.b[s.i] != '\r' {
				s.i++
			}
		default:
			return
		}
	}
}

func (s *scanner) word() string {
	start := s.i
	for s.i < len(s.b) && !isSpace(s.b[s.i]) && !isDelimiter(s.b[s.i]) {
		s.i++
	}
	return string(s.b[start:s.i])
}

// operand reads an operand that begins with a delimiter or a digit; ok is false for anything else.
func (s *scanner) operand(depth int) (o Operand, ok bool) {
	if depth > maxDepth {
		return o, false
	}
	o.Start = s.i
	defer func() { o.End = s.i }()
	switch c := s.b[s.i]; {
	case c == '/':
		s.i++
		return Operand{Kind: Name, Text: decodeName(s.word()), Start: o.Start, End: s.i}, true
	case c == '(':
		text := s.literal()
		return Operand{Kind: String, Text: text, Start: o.Start, End: s.i}, true
	case c == '[':
		list := s.list(']', depth)
		return Operand{Kind: Array, List: list, Start: o.Start, End: s.i}, true
	case c == '<' && s.i+1 < len(s.b) && s.b[s.i+1] == '<':
		s.i++
		list := s.list('>', depth)
		if s.i < len(s.b) && s.b[s.i] == '>' {
			s.i++
		}
		return Operand{Kind: Other, List: list, Start: o.Start, End: s.i}, true
	case c == '<':
		text := s.hex()
		return Operand{Kind: String, Text: text, Start: o.Start, End: s.i}, true
	case isNumeric(c):
		number, valid := parseNumber(s.word())
		return Operand{Kind: Number, Number: number, Start: o.Start, End: s.i}, valid
	}
	return o, false
}

// list reads the elements up to the closing delimiter, which it consumes.
func (s *scanner) list(closing byte, depth int) (list []Operand) {
	s.i++
	for {
		s.space()
		if s.i >= len(s.b) {
			return list
		}
		c := s.b[s.i]
		if c == closing {
			s.i++
			return list
		}
		start := s.i
		if isDelimiter(c) || isNumeric(c) {
			if o, ok := s.operand(depth + 1); ok {
				if len(list) < maxOperands {
					list = append(list, o)
				}
				continue
			}
			s.i = max(s.i, start+1)
			continue
		}
		s.word()
		if s.i == start {
			s.i++
		}
	}
}

// literal reads a string in parentheses.
func (s *scanner) literal() (text []byte) {
	s.i++
	for depth := 1; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				s.i++
				return text
			}
		case '\\':
			text = s.escape(text)
			continue
		case '\r':
			if s.i+1 < len(s.b) && s.b[s.i+1] == '\n' {
				s.i++
			}
			text = append(text, '\n')
			continue
		}
		text = append(text, s.b[s.i])
	}
	return text
}

// escapes are the characters after a backslash that stand for another one.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// escape appends the character of an escape sequence, and leaves s at the last byte of the sequence.
func (s *scanner) escape(text []byte) []byte {
	if s.i++; s.i >= len(s.b) {
		return text
	}
	c := s.b[s.i]
	switch {
	case c >= '0' && c <= '7':
		value := 0
		n := 0
		for ; n < 3 && s.i+n < len(s.b) && s.b[s.i+n] >= '0' && s.b[s.i+n] <= '7'; n++ {
			value = value*8 + int(s.b[s.i+n]-'0')
		}
		s.i += n - 1
		return append(text, byte(value))
	case c == '\r':
		if s.i+1 < len(s.b) && s.b[s.i+1] == '\n' {
			s.i++
		}
		return text
	case c == '\n':
		return text
	case escapes[c] != 0:
		return append(text, escapes[c])
	}
	return append(text, c)
}

// hex reads a string of hexadecimal digits.
func (s *scanner) hex() []byte {
	s.i++
	end := bytes.IndexByte(s.b[s.i:], '>')
	if end < 0 {
		end = len(s.b) - s.i
	}
	digits := make([]byte, 0, end+1)
	for _, c := range s.b[s.i : s.i+end] {
		if isHex(c) {
			digits = append(digits, c)
		}
	}
	s.i = min(s.i+end+1, len(s.b))
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	text := make([]byte, len(digits)/2)
	_, _ = hex.Decode(text, digits) // digits has only hexadecimal digits, in pairs
	return text
}

// inlineImage skips the dictionary and the data of an inline image, to the end of its EI. The data has no length, so it ends where EI stands
// between white space and what follows is not binary.
func (s *scanner) inlineImage() {
	for s.i < len(s.b) {
		s.space()
		start := s.i
		if s.i >= len(s.b) {
			return
		}
		if isDelimiter(s.b[s.i]) || isNumeric(s.b[s.i]) {
			if _, ok := s.operand(0); !ok {
				s.i = max(s.i, start+1)
			}
			continue
		}
		if s.word() == "ID" {
			break
		}
	}
	for s.i < len(s.b) {
		at := bytes.Index(s.b[s.i:], []byte("EI"))
		if at < 0 {
			s.i = len(s.b)
			return
		}
		at += s.i
		s.i = at + 2
		if at > 0 && isSpace(s.b[at-1]) && s.endsImage() {
			return
		}
	}
}

// endsImage reports whether the bytes after an EI look like operators.
func (s *scanner) endsImage() bool {
	const look = 16
	rest := s.b[s.i:min(s.i+look, len(s.b))]
	if len(rest) > 0 && !isSpace(rest[0]) {
		return false
	}
	for _, c := range rest {
		if c >= 0x7f || c < 0x20 && !isSpace(c) {
			return false
		}
	}
	return true
}

// decodeName resolves the #xx sequences of a name.
func decodeName(word string) []byte {
	text := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		if word[i] == '#' && i+2 < len(word) && isHex(word[i+1]) && isHex(word[i+2]) {
			value, _ := strconv.ParseUint(word[i+1:i+3], 16, 8) // two hexadecimal digits
			text = append(text, byte(value))
			i += 2
			continue
		}
		text = append(text, word[i])
	}
	return text
}

// parseNumber reads a number as viewers do: producers write 1.-5, --3 and 0.0.1.
func parseNumber(word string) (float64, bool) {
	if f, err := strconv.ParseFloat(word, 64); err == nil && f < 1e12 && f > -1e12 {
		return f, true
	}
	sign, value, scale, digits := 1.0, 0.0, 0.0, 0
	for i := range len(word) {
		switch c := word[i]; {
		case c == '-' && digits == 0:
			sign = -1
		case c == '+' && digits == 0:
		case c == '.' && scale == 0:
			scale = 1
		case c >= '0' && c <= '9':
			digits++
			if scale > 0 {
				scale /= 10
				value += float64(c-'0') * scale
			} else if value < 1e12 {
				value = value*10 + float64(c-'0')
			}
		default:
			return sign * value, digits > 0
		}
	}
	return sign * value, digits > 0 || word == "-" || word == "."
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

func isNumeric(c byte) bool { return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' }

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
