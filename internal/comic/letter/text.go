package letter

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// maxRunes bounds the text of one region: a page of prose. What is longer is cut, and said to be.
const maxRunes = 2000

// prepare is the text as it is set: white space made single, without it between Chinese and Japanese characters, with the
// marks of the language, and in capitals or vertical forms where asked. It reports whether the end was cut.
func prepare(text string, t target, capitals, vertical bool) (_ string, cut bool) {
	text = strings.Map(func(r rune) rune {
		if r == '❤' {
			return '♥' // which fonts of letters draw, and not as a picture
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == unicode.ReplacementChar || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	text = strings.Join(strings.FieldsFunc(norm.NFC.String(text), func(r rune) bool {
		return unicode.IsSpace(r) && r != noBreak && r != narrowNoBreak // kept: they do not end a line
	}), " ")
	if runes := []rune(text); len(runes) > maxRunes {
		text, cut = string(runes[:maxRunes-1])+"…", true
	}
	if t.ideographic() {
		text = joinIdeographs(text)
	}
	text = t.typography(text)
	switch {
	case t.ideographic() && vertical:
		if text = verticalForms.Replace(text); t.script != japanese {
			text = chineseDashes.Replace(text)
		}
	case capitals:
		tag, err := language.Parse(t.lang)
		if err != nil {
			tag = language.Und
		}
		text = cases.Upper(tag).String(text)
	}
	return text, cut
}

// verticalForms are for columns: full-width marks, and pairs of marks in one cell.
var verticalForms = strings.NewReplacer(
	"!!", "‼", "??", "⁇", "?!", "⁈", "!?", "⁉", "！！", "‼", "？？", "⁇", "？！", "⁈", "！？", "⁉",
	"!", "！", "?", "？", ":", "：", ",", "、", "~", "〜",
)

// chineseDashes: the fonts for Chinese have a vertical dash as a character of its own only.
var chineseDashes = strings.NewReplacer("—", "︱", "―", "︱")

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

// hasSmall reports whether a text has small letters.
func hasSmall(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }
