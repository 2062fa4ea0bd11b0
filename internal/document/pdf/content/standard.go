package content

import (
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/font"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// standardWidths takes the widths of the 14 standard fonts, which a file need not contain: those of the characters of its encoding.
func (l *loader) standardWidths(f *Font, d types.Dict) {
	name := standardName(f.Name)
	if name == "" {
		return
	}
	set := func(code uint32, character rune) {
		if w, err := font.CharWidth(name, character); err == nil {
			f.widths[code] = float64(w)
		}
	}
	for code := uint32(' '); code < 256; code++ {
		set(code, rune(code))
	}
	if name == "Symbol" || name == "ZapfDingbats" {
		return
	}
	if !l.isWinAnsi(d) {
		set('\'', winAnsi["quoteright"])
		set('`', winAnsi["quoteleft"])
	}
	l.differences(d, func(code uint32, glyph string) {
		if character, ok := winAnsi[glyph]; ok {
			set(code, character)
		} else if glyph == "fi" || glyph == "fl" {
			f.widths[code] = ligatureWidth(name)
		}
	})
}

// isWinAnsi reports whether the codes of a font are those of WinAnsi, but for differences. Else they are those of the font itself.
func (l *loader) isWinAnsi(d types.Dict) bool {
	o, _ := l.objects.Dereference(d["Encoding"])
	if encoding, ok := o.(types.Dict); ok {
		o, _ = l.objects.Dereference(encoding["BaseEncoding"])
	}
	name, ok := o.(types.Name)
	return ok && name != "StandardEncoding"
}

// ligatureWidth is the width of the ligatures of a standard font.
func ligatureWidth(name string) float64 {
	switch {
	case strings.HasPrefix(name, "Courier"):
		return 600
	case strings.HasPrefix(name, "Helvetica-Bold"):
		return 611
	case strings.HasPrefix(name, "Helvetica"), name == "Times-Italic":
		return 500
	}
	return 556
}

// winAnsi are the codes of WinAnsi by the names of their glyphs (ISO 32000-1, annex D).
var winAnsi = func() map[string]rune {
	codes := map[string]rune{}
	for i, name := range strings.Fields(winAnsiNames) {
		if _, known := codes[name]; !known {
			codes[name] = ' ' + rune(i)
		}
	}
	return codes
}()

// winAnsiNames are the glyphs of WinAnsi from the code 32; .notdef is none.
const winAnsiNames = `space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period
slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G H I J K L M N O P Q R S T U V
W X Y Z bracketleft backslash bracketright asciicircum underscore grave a b c d e f g h i j k l m n o p q r s t u v w x y z braceleft bar
braceright asciitilde .notdef Euro .notdef quotesinglbase florin quotedblbase ellipsis dagger daggerdbl circumflex perthousand Scaron
guilsinglleft OE .notdef Zcaron .notdef .notdef quoteleft quoteright quotedblleft quotedblright bullet endash emdash tilde trademark scaron
guilsinglright oe .notdef zcaron Ydieresis space exclamdown cent sterling currency yen brokenbar section dieresis copyright ordfeminine
guillemotleft logicalnot hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph periodcentered cedilla onesuperior
ordmasculine guillemotright onequarter onehalf threequarters questiondown Agrave Aacute Acircumflex Atilde Adieresis Aring AE Ccedilla Egrave
Eacute Ecircumflex Edieresis Igrave Iacute Icircumflex Idieresis Eth Ntilde Ograve Oacute Ocircumflex Otilde Odieresis multiply Oslash Ugrave
Uacute Ucircumflex Udieresis Yacute Thorn germandbls agrave aacute acircumflex atilde adieresis aring ae ccedilla egrave eacute ecircumflex
edieresis igrave iacute icircumflex idieresis eth ntilde ograve oacute ocircumflex otilde odieresis divide oslash ugrave uacute ucircumflex
udieresis yacute thorn ydieresis`

// standardName is the standard font that a name stands for; empty for any other.
func standardName(name string) string {
	if font.IsCoreFont(name) {
		return name
	}
	family, style, _ := strings.Cut(name, ",")
	bold, italic := strings.Contains(style, "Bold"), strings.Contains(style, "Italic")
	pick := func(regular, b, i, bi string) string {
		switch {
		case bold && italic:
			return bi
		case bold:
			return b
		case italic:
			return i
		}
		return regular
	}
	switch family {
	case "Arial":
		return pick("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
	case "TimesNewRoman":
		return pick("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")
	case "CourierNew":
		return pick("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique")
	}
	return ""
}
