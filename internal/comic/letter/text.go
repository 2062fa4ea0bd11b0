package letter

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"plait/internal/pipeline"
)

// prepare is the text as it is set: white space made single, without it between Chinese and Japanese characters, and in
// capitals or vertical forms where asked.
func prepare(text, lang string, capitals, vertical bool) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == unicode.ReplacementChar || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.Fields(norm.NFC.String(text)), " ")
	if pipeline.IsCJK(lang) {
		text = joinIdeographs(text)
		if vertical {
			text = verticalForms.Replace(text)
		}
		return text
	}
	if capitals {
		tag, err := language.Parse(lang)
		if err != nil {
			tag = language.Und
		}
		text = cases.Upper(tag).String(text)
	}
	return text
}

// verticalForms are for columns: full-width marks, and pairs of marks in one cell.
var verticalForms = strings.NewReplacer(
	"!!", "‼", "??", "⁇", "?!", "⁈", "!?", "⁉", "！！", "‼", "？？", "⁇", "？！", "⁈", "！？", "⁉",
	"!", "！", "?", "？", "...", "…", "･･･", "…", "・・・", "…", ":", "：", ",", "、", "~", "〜",
)

// joinIdeographs drops the spaces with a Chinese or Japanese character on either side.
func joinIdeographs(text string) string {
	runes := []rune(text)
	out := runes[:0:0]
	for i, r := range runes {
		if r == ' ' && i > 0 && i < len(runes)-1 && (isWide(runes[i-1]) || isWide(runes[i+1])) {
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60 || r == 'ー'
}

// isCapitals reports whether a text has letters with case and none of them small.
func isCapitals(text string) bool {
	upper := false
	for _, r := range text {
		if unicode.IsLower(r) {
			return false
		}
		upper = upper || unicode.IsUpper(r)
	}
	return upper
}
