package letter

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"plait/internal/comic"
	tags "plait/internal/translate/emphasis"
)

// maxRunes limits the text of one region: a page of credits has 6,000 characters. A longer text is cut, and the report says so.
const maxRunes = 10_000

// prepare returns the text as it is set: without tags, with single spaces, none between Chinese and Japanese characters, with the marks of the language,
// and in capitals or vertical forms if requested. It reports whether the end was cut.
func prepare(text string, t target, capitals, vertical bool) (_ string, cut bool) {
	text = strings.Map(func(r rune) rune {
		if r == '❤' {
			return '♥' // text fonts have this one, and it is not an emoji
		}
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == unicode.ReplacementChar || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(tags.Plain(text), ""))
	text = strings.Join(strings.FieldsFunc(norm.NFC.String(text), func(r rune) bool {
		return unicode.IsSpace(r) && r != noBreak && r != narrowNoBreak // no-break spaces are kept
	}), " ")
	if runes := []rune(text); len(runes) > maxRunes {
		text, cut = string(runes[:maxRunes-1])+"…", true
	}
	if t.ideographic() {
		text = joinIdeographs(text, t.apart)
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

// verticalForms converts marks for columns: to full-width marks, and pairs of marks to one cell.
var verticalForms = strings.NewReplacer(
	"!!", "‼", "??", "⁇", "?!", "⁈", "!?", "⁉", "！！", "‼", "？？", "⁇", "？！", "⁈", "！？", "⁉",
	"!", "！", "?", "？", ":", "：", ",", "、", "~", "〜",
)

// chineseDashes converts dashes for columns: Chinese fonts have the vertical dash only as a separate character.
var chineseDashes = strings.NewReplacer("—", "︱", "―", "︱")

// joinIdeographs removes the spaces beside Chinese and Japanese characters; with apart, those between two of them stay.
func joinIdeographs(text string, apart bool) string {
	runes := []rune(text)
	out := runes[:0:0]
	for i, r := range runes {
		if r == ' ' && i > 0 && i < len(runes)-1 {
			if before, after := comic.Unspaced(runes[i-1]), comic.Unspaced(runes[i+1]); before != after || before && !apart {
				continue
			}
		}
		out = append(out, r)
	}
	return string(out)
}

// hasSmall reports whether a text has lower-case letters.
func hasSmall(text string) bool { return strings.ContainsFunc(text, unicode.IsLower) }

// typography replaces typewriter marks whose meaning is clear: three dots, two hyphens, paired quotes, the apostrophe.
func (t target) typography(text string) string {
	m, ok := languageMarks[t.lang]
	if !ok {
		m = englishMarks
	}
	text = hyphens.ReplaceAllLiteralString(ellipses(text), m.dash)
	text = t.quotes(text, m)
	text = t.spaceMarks(text)
	if t.ideographic() {
		text = wideMarks(text, t.script == japanese)
	}
	return text
}

// ellipses replaces a run of three or more dots with one ellipsis, and also a run of the middle dots of Chinese and Japanese. One ellipsis is
// left of those where a text that trails off is joined to one that sets in.
func ellipses(text string) string {
	return ellipsesApart.ReplaceAllString(dots.ReplaceAllString(text, "…"), "…")
}

var (
	dots          = regexp.MustCompile(`\.{3,}|・{3,}|･{3,}`)
	ellipsesApart = regexp.MustCompile(`…( …)+`)
	hyphens       = regexp.MustCompile(`-{2,}`)
	wideShouts    = regexp.MustCompile(`[！？!?]{2,}`)
	narrowShouts  = strings.NewReplacer("！", "!", "？", "?")
)

// wideMarks replaces marks after a Chinese or Japanese character, or such a mark, with wide ones. A run of ! and ? is one narrow mark.
func wideMarks(text string, japanese bool) string {
	wide := map[rune]rune{'!': '！', '?': '？', ':': '：', ';': '；', ',': '，', '.': '。'}
	if japanese {
		wide[','] = '、'
	}
	runes := []rune(text)
	for i := 1; i < len(runes); i++ {
		w, ok := wide[runes[i]]
		if ok && (comic.Unspaced(runes[i-1]) || strings.ContainsRune("…—―", runes[i-1])) {
			runes[i] = w
		}
	}
	return wideShouts.ReplaceAllStringFunc(string(runes), narrowShouts.Replace)
}
