package content

import (
	"cmp"
	"slices"
	"sort"
	"unicode/utf16"
)

// CMap maps codes of a font to character identifiers or to Unicode (Adobe Technical Note 5014; ISO 32000-1, sections 9.7.5 and 9.10.3).
type CMap struct {
	spaces []codeSpace
	// cids maps codes to character identifiers, and texts codes to Unicode.
	cids  []cidRange
	texts map[uint32]string
	// added counts the texts, and those that were replaced.
	added int
}

// codeSpace is a range of codes of n bytes. Each byte of a code is within its own range.
type codeSpace struct {
	low, high uint32
	n         int
}

type cidRange struct {
	low, high uint32
	cid       uint32
}

const (
	// maxMapped bounds the entries of a map, with those that replace others: a font has at most 65,536 glyphs.
	maxMapped = 1 << 17
	// maxSpaces bounds the code spaces: the largest predefined CMap has nine.
	maxSpaces = 64
	// maxText bounds the text of one code, in UTF-16 units: ligatures have up to four characters.
	maxText = 64
)

// ParseCMap reads an embedded CMap. What it cannot read it leaves out.
func ParseCMap(stream []byte) *CMap {
	m := &CMap{texts: map[uint32]string{}}
	Scan(stream, func(op Operator) bool {
		switch op.Name {
		case "endcodespacerange":
			pairs(op.Operands, 2, func(o []Operand) {
				if n := len(o[0].Text); n >= 1 && n <= 4 {
					m.spaces = append(m.spaces, codeSpace{codeOf(o[0].Text), codeOf(o[1].Text), n})
				}
			})
		case "endcidrange":
			pairs(op.Operands, 3, func(o []Operand) { m.addCIDs(codeOf(o[0].Text), codeOf(o[1].Text), o[2]) })
		case "endcidchar":
			pairs(op.Operands, 2, func(o []Operand) { m.addCIDs(codeOf(o[0].Text), codeOf(o[0].Text), o[1]) })
		case "endbfchar":
			pairs(op.Operands, 2, func(o []Operand) { m.addText(codeOf(o[0].Text), o[1].Text) })
		case "endbfrange":
			pairs(op.Operands, 3, m.addTexts)
		}
		return m.added < maxMapped && len(m.cids) < maxMapped && len(m.spaces) < maxSpaces
	})
	slices.SortStableFunc(m.cids, func(a, b cidRange) int { return cmp.Compare(a.low, b.low) })
	return m
}

// pairs calls use for each group of n operands. Numbers before the groups, such as the count before begincidrange, belong to another
// operator.
func pairs(operands []Operand, n int, use func([]Operand)) {
	for len(operands) >= n {
		if operands[0].Kind != String {
			operands = operands[1:]
			continue
		}
		use(operands[:n])
		operands = operands[n:]
	}
}

func codeOf(b []byte) (code uint32) {
	for _, c := range b[:min(len(b), 4)] {
		code = code<<8 | uint32(c)
	}
	return code
}

func (m *CMap) addCIDs(low, high uint32, cid Operand) {
	if cid.Kind == Number && cid.Number >= 0 && cid.Number < 1<<16 && high >= low {
		m.cids = append(m.cids, cidRange{low, high, uint32(cid.Number)})
	}
}

func (m *CMap) addText(code uint32, utf16be []byte) {
	m.added++
	if text := decodeUTF16(utf16be); text != "" {
		m.texts[code] = text
	}
}

// addTexts adds a range: either the texts of an array, or one text whose last unit is counted up.
func (m *CMap) addTexts(o []Operand) {
	low, high := codeOf(o[0].Text), codeOf(o[1].Text)
	if high < low || high-low >= maxMapped {
		return
	}
	if o[2].Kind == Array {
		for i, text := range o[2].List {
			if uint32(i) > high-low {
				return
			}
			m.addText(low+uint32(i), text.Text)
		}
		return
	}
	text := append([]byte{}, o[2].Text...)
	if len(text) < 2 {
		return
	}
	for code := low; ; code++ {
		m.addText(code, text)
		if code == high || m.added >= maxMapped {
			return
		}
		if text[len(text)-1]++; text[len(text)-1] == 0 {
			text[len(text)-2]++
		}
	}
}

func decodeUTF16(b []byte) string {
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b) && len(units) < maxText; i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}

// Text returns the text of a code; empty when the map has none.
func (m *CMap) Text(code uint32) string {
	if m == nil {
		return ""
	}
	return m.texts[code]
}

// cid returns the character identifier of a code.
func (m *CMap) cid(code uint32) (cid uint32, ok bool) {
	after := sort.Search(len(m.cids), func(i int) bool { return m.cids[i].low > code })
	if after == 0 || code > m.cids[after-1].high {
		return 0, false
	}
	r := m.cids[after-1]
	return r.cid + code - r.low, true
}

// next returns the first code of a string and its length in bytes, at least 1 for a string that is not empty.
func (m *CMap) next(b []byte) (code uint32, n int) {
	for _, s := range m.spaces {
		if len(b) >= s.n && s.has(b[:s.n]) {
			return codeOf(b[:s.n]), s.n
		}
	}
	n = 1
	if len(m.spaces) > 0 {
		n = min(m.spaces[0].n, len(b))
	}
	return codeOf(b[:n]), n
}

func (s codeSpace) has(b []byte) bool {
	for i, c := range b {
		shift := 8 * (s.n - 1 - i)
		if c < byte(s.low>>shift) || c > byte(s.high>>shift) {
			return false
		}
	}
	return true
}
