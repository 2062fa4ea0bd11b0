package embed

import (
	"fmt"
	"slices"
	"unicode/utf16"
)

// toUnicode returns the map from codes to texts, as the program of a CMap. Codes whose text is empty belong to the cluster of the glyph
// before them and are not in the map.
func (f *Face) toUnicode() []byte {
	program := []byte(`/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
`)
	var codes []int
	for code, g := range f.glyphs {
		if g.text != "" {
			codes = append(codes, code)
		}
	}
	for block := range slices.Chunk(codes, 100) { // a block has 100 entries at most
		program = fmt.Appendf(program, "%d beginbfchar\n", len(block))
		for _, code := range block {
			program = fmt.Appendf(program, "<%04x> <", code)
			for _, unit := range utf16.Encode([]rune(f.glyphs[code].text)) {
				program = fmt.Appendf(program, "%04x", unit)
			}
			program = append(program, ">\n"...)
		}
		program = append(program, "endbfchar\n"...)
	}
	return fmt.Appendf(program, "endcmap\nCMapName currentdict /CMap defineresource pop\n%s\n%[1]s\n", "end")
}
