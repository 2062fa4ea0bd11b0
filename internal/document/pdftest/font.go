package pdftest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// Helvetica adds a simple font with the codes of WinAnsi. Its widths are those of the viewer, as for every standard font.
func (b *Builder) Helvetica() Ref {
	return b.Add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
}

// Simple adds Go Regular as an embedded simple TrueType font with widths and the codes of WinAnsi.
func (b *Builder) Simple() Ref {
	face, buffer := goRegular()
	var widths strings.Builder
	for code := rune(32); code < 127; code++ {
		glyph, _ := face.GlyphIndex(buffer, code)
		fmt.Fprintf(&widths, " %d", width(face, buffer, glyph))
	}
	return b.Add(fmt.Sprintf("<< /Type /Font /Subtype /TrueType /BaseFont /GoRegular /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126"+
		" /Widths [%s ] /FontDescriptor %s >>", widths.String(), b.descriptor(32)))
}

// Type0 adds Go Regular as a composite font: each code is the number of a glyph in two bytes, as [Hex] writes it. The map to Unicode has the
// characters of text; a nil text leaves the map out.
func (b *Builder) Type0(text *string) Ref {
	face, buffer := goRegular()
	var widths strings.Builder
	for glyph := range face.NumGlyphs() {
		fmt.Fprintf(&widths, " %d", width(face, buffer, sfnt.GlyphIndex(glyph)))
	}
	descendant := b.Add(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /GoRegular /CIDToGIDMap /Identity /DW 1000"+
		" /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 [%s ]] /FontDescriptor %s >>",
		widths.String(), b.descriptor(4)))
	unicode := ""
	if text != nil {
		unicode = " /ToUnicode " + b.Stream("", toUnicode(*text)).String()
	}
	return b.Add(fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /GoRegular /Encoding /Identity-H /DescendantFonts [%s]%s >>",
		descendant, unicode))
}

// Hex writes a text in the codes of [Builder.Type0], as <00480065>.
func Hex(text string) string {
	face, buffer := goRegular()
	var s strings.Builder
	for _, r := range text {
		glyph, _ := face.GlyphIndex(buffer, r)
		fmt.Fprintf(&s, "%04x", uint16(glyph))
	}
	return "<" + s.String() + ">"
}

func (b *Builder) descriptor(flags int) Ref {
	file := b.Stream(fmt.Sprintf("/Length1 %d", len(goregular.TTF)), string(goregular.TTF))
	return b.Add(fmt.Sprintf("<< /Type /FontDescriptor /FontName /GoRegular /Flags %d /FontBBox [-440 -432 1024 998] /ItalicAngle 0"+
		" /Ascent 944 /Descent -212 /CapHeight 723 /StemV 80 /FontFile2 %s >>", flags, file))
}

func toUnicode(text string) string {
	face, buffer := goRegular()
	var s strings.Builder
	s.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def /CMapType 2 def\n" +
		"1 begincodespacerange <0000> <ffff> endcodespacerange\n")
	characters := []rune(text)
	slices.Sort(characters)
	characters = slices.Compact(characters)
	for chunk := range slices.Chunk(characters, 100) {
		fmt.Fprintf(&s, "%d beginbfchar\n", len(chunk))
		for _, r := range chunk {
			glyph, _ := face.GlyphIndex(buffer, r)
			fmt.Fprintf(&s, "<%04x> <", uint16(glyph))
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&s, "%04x", unit)
			}
			s.WriteString(">\n")
		}
		s.WriteString("endbfchar\n")
	}
	s.WriteString("endcmap CMapName currentdict /CMap defineresource pop end")
	s.WriteString(" end")
	return s.String()
}

// goRegular returns the face and a buffer for its glyphs.
func goRegular() (*sfnt.Font, *sfnt.Buffer) {
	face, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the file is part of the module
	}
	return face, &sfnt.Buffer{}
}

// width returns the advance of a glyph in 1/1000 of the size.
func width(face *sfnt.Font, buffer *sfnt.Buffer, glyph sfnt.GlyphIndex) int {
	advance, err := face.GlyphAdvance(buffer, glyph, 1000<<6, 0)
	if err != nil {
		return 0
	}
	return advance.Round()
}
