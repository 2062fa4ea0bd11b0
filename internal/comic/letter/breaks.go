package letter

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"

	"plait/internal/comic"
)

// breakPoint is a place where a line may end: before cluster at. Its cost is on the scale of the cost of a layout.
type breakPoint struct {
	at   int
	cost float64
	// hyphen says that the line ends inside a word and gets a hyphen.
	hyphen bool
}

// breakPoints returns where the text may break, its end last: what both UAX 14 and the house rules allow and, if words are divided, places
// where the language hyphenates them or else any between letters. within is the result of named for the text.
func (t target) breakPoints(text []rune, clusters []cluster, within []bool, divided bool) []breakPoint {
	b := breaker{target: t, text: text, allowed: make([]bool, len(text)+1), within: within}
	var seg segmenter.Segmenter
	seg.Init(text)
	for lines := seg.LineIterator(); lines.Next(); {
		l := lines.Line()
		b.allowed[l.Offset+len(l.Text)] = true
	}
	if t.phrases != nil {
		b.phrases = t.phrases.Scores(text)
	}
	if divided {
		b.divided = b.divisions()
		b.graphemes = make([]bool, len(text)+1)
		for it := seg.GraphemeIterator(); it.Next(); {
			b.graphemes[it.Grapheme().Offset] = true
		}
	}
	var out []breakPoint
	for i := 1; i < len(clusters); i++ {
		if at := clusters[i].start; clusters[i-1].end == at {
			if c, ok := b.breakPoint(at); ok {
				c.at = i
				out = append(out, c)
			}
		}
	}
	return append(out, breakPoint{at: len(clusters)})
}

// breaker has what is known about each place in a text. Slices are nil if nothing is known.
type breaker struct {
	target
	text                                []rune
	allowed, divided, graphemes, within []bool
	phrases                             []float64
}

// breakPoint returns the break before text[at]. It is not ok if there may be none.
func (b *breaker) breakPoint(at int) (breakPoint, bool) {
	before, after := b.text[at-1], b.text[at]
	if b.allowed[at] && b.houseAllows(at) {
		return breakPoint{cost: b.cost(at)}, true
	}
	if unicode.IsSpace(before) || unicode.IsSpace(after) {
		return breakPoint{}, false
	}
	lettered := unicode.IsLetter(before) && unicode.IsLetter(after)
	switch {
	case b.divided != nil && b.divided[at] && !b.within[at]:
		return breakPoint{cost: costDivided, hyphen: true}, true
	case b.graphemes == nil || !b.graphemes[at] || !kinsokuAllows(b.text, at) || b.script == arabic:
		return breakPoint{}, false
	case isHangul(before) && isHangul(after):
		return breakPoint{cost: costAnywhere}, true
	case lettered && !comic.Unspaced(before) && !comic.Unspaced(after):
		return breakPoint{cost: costAnywhere, hyphen: true}, true
	}
	return breakPoint{}, false
}

// houseAllows applies more rules than UAX 14: kinsoku; Korean breaks between words only; a dash stays with the word that it is attached to.
func (b *breaker) houseAllows(at int) bool {
	before, after := b.text[at-1], b.text[at]
	switch {
	case before == ' ':
		return !b.ideographic() || !strings.ContainsRune(neverFirst, after) && (at < 2 || !strings.ContainsRune(neverLast, b.text[at-2]))
	case b.script == hangul:
		return unicode.IsPunct(before)
	case isDash(after) && !b.square() || isDash(before) && at >= 2 && b.text[at-2] == ' ':
		return false
	case comic.Unspaced(before) || comic.Unspaced(after) || b.square():
		return kinsokuAllows(b.text, at)
	}
	return true
}

func isDash(r rune) bool { return r == '—' || r == '–' || r == '―' }

func wordBefore(text []rune) []rune {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == ' ' {
			return text[i+1:]
		}
	}
	return text
}

// divisions returns the places inside words where the language hyphenates them.
func (b *breaker) divisions() []bool {
	out := make([]bool, len(b.text)+1)
	if b.words == nil {
		return out
	}
	for from := 0; from < len(b.text); {
		end := from
		for end < len(b.text) && unicode.IsLetter(b.text[end]) {
			end++
		}
		for _, at := range b.words.Divide([]rune(strings.ToLower(string(b.text[from:end])))) {
			out[from+at] = true
		}
		from = end + 1
	}
	return out
}

// Kinsoku rules: which characters may not begin or end a line of Chinese and Japanese, and which may not be separated (W3C, Requirements
// for Japanese Text Layout, 3.1.7 to 3.1.10, and for Chinese, 3.1.3), with additional marks of comics.
const (
	// neverFirst are closing marks, stops, small kana, iteration and length marks, and symbols that end a phrase like a stop.
	neverFirst = "、。，．,.・：；:;！？!?‼⁇⁈⁉」』）］｝〉》】〕〗〙〟’”»›)]}｠" +
		"ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ" +
		"ーゝゞヽヾ々〻〜～゠‐–…‥％‰%｡､･ｰｧｨｩｪｫｯｬｭｮﾞﾟ｣" + symbols
	// neverLast are opening marks, and signs that belong to the number after them.
	neverLast = "「『（［｛〈《【〔〖〘〝‘“«‹([{｟￥¥＄$＃#№"
	// neverParted are marks of which two or more in a row form one mark.
	neverParted = "…‥—―─︱〳〴〵"
)

// kinsokuAllows reports whether a line may end before text[at], 0 < at < len(text).
func kinsokuAllows(text []rune, at int) bool {
	before, after := text[at-1], text[at]
	switch {
	case strings.ContainsRune(neverFirst, after), isSymbol(after):
		return false
	case strings.ContainsRune(neverLast, before):
		return false
	case before == after && strings.ContainsRune(neverParted, before):
		return false
	}
	return !unicode.Is(unicode.Nd, before) || !unicode.Is(unicode.Nd, after)
}

// named reports for each place in text whether it is inside one of the names and terms, which must be prepared like the text. The places
// at the spaces of a name do not count: a line may end there.
func named(text []rune, terms [][]rune) []bool {
	within := make([]bool, len(text)+1)
	for _, term := range terms {
		for from := 0; len(term) > 1 && from+len(term) <= len(text); from++ {
			if !strings.EqualFold(string(text[from:from+len(term)]), string(term)) {
				continue
			}
			for at := from + 1; at < from+len(term); at++ {
				within[at] = within[at] || text[at-1] != ' ' && text[at] != ' '
			}
		}
	}
	return within
}

// longestQuoted is the greatest number of characters of a quotation that counts as a name. A longer one is a phrase, which may be broken.
const longestQuoted = 6

// quotedNames returns the names and terms in quotation marks or brackets of a text, with their marks. A quoted clause is none.
func quotedNames(text []rune) (names [][]rune) {
	open := -1
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Pi, unicode.Ps):
			open = i
		case unicode.In(r, unicode.Pf, unicode.Pe):
			if open >= 0 && i-open-1 <= longestQuoted {
				names = append(names, text[open:i+1])
			}
			open = -1
		case strings.ContainsRune(endsClause, r):
			open = -1
		}
	}
	return names
}
