package pdf

import (
	"math"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"plait/internal/document"
)

// combining are the combining marks of the accents that fonts have as glyphs of their own.
var combining = map[string]string{
	"`": "\u0300", "´": "\u0301", "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304", "ˉ": "\u0304", "˘": "\u0306",
	"˙": "\u0307", "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}

// dotless are the letters that carry their accents in the place of a dot.
var dotless = map[string]string{"ı": "i", "ȷ": "j"}

// accentReach is how far an accent may reach into its letter, or beside a narrow one, in em.
const accentReach = 0.15

// compose gives a letter the text of the accent that stands at it, as TeX draws both with fonts that have no accented letters. The accent
// becomes a mark of the letter, without a text, a width and an ink of its own.
func compose(glyphs []document.Glyph) {
	for i := range glyphs {
		mark, isAccent := combining[glyphs[i].Text]
		if !isAccent {
			continue
		}
		for _, at := range [2]int{i + 1, i - 1} {
			if at < 0 || at >= len(glyphs) || !accents(glyphs[i], glyphs[at]) {
				continue
			}
			letter := &glyphs[at]
			base := letter.Text
			if with, ok := dotless[base]; ok {
				base = with
			}
			if text := norm.NFC.String(base + mark); utf8.RuneCountInString(text) == 1 {
				letter.Text, letter.Ink = text, letter.Ink.Union(glyphs[i].Ink)
				glyphs[i].Text, glyphs[i].Advance, glyphs[i].Ink = "", 0, document.Box{}
				break
			}
		}
	}
}

// accents reports whether a glyph stands right above or below the middle of another one of its font. A formula takes the accents of its
// variables from another font.
func accents(accent, letter document.Glyph) bool {
	if accent.Font != letter.Font || accent.Size != letter.Size || accent.Direction != letter.Direction || accent.Hidden != letter.Hidden {
		return false
	}
	a, l := accent.Direction.BoxIn(accent.Ink), accent.Direction.BoxIn(letter.Ink)
	if a.X1 <= a.X0 || l.X1 <= l.X0 {
		return false
	}
	reach := accentReach * letter.Size
	apart := math.Abs((a.X0+a.X1)/2 - (l.X0+l.X1)/2)
	return apart < max((l.X1-l.X0)/2, reach) && (a.Y0 > l.Y1-reach || a.Y1 < l.Y0+reach)
}
