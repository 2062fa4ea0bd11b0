package letter

import (
	"slices"
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

// cheaper returns the break points that cost less, such as those outside of words or names.
func cheaper(all []breakPoint, than float64) []breakPoint {
	var out []breakPoint
	for _, c := range all {
		if c.cost < than {
			out = append(out, c)
		}
	}
	return out
}

// division says to what extent words may be broken.
type division int

const (
	wholeWords division = iota
	breakWords          // where the language hyphenates them, and else anywhere between letters
)

// breakPoints returns the places where the text may break, the end of the text last: those that both UAX 14 and the house rules allow and,
// depending on the division, places inside words. within is the result of named for the text.
func (t target) breakPoints(text []rune, clusters []cluster, within []bool, d division) []breakPoint {
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
	if d == breakWords {
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

// houseAllows applies rules in addition to UAX 14: kinsoku; Korean breaks between words only; and a dash stays on the line of the word that
// it is attached to.
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

func word(text []rune) []rune {
	if i := slices.Index(text, ' '); i >= 0 {
		return text[:i]
	}
	return text
}

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
		lower := make([]rune, 0, end-from)
		for _, r := range b.text[from:end] {
			lower = append(lower, unicode.ToLower(r))
		}
		for _, at := range b.words.Divide(lower) {
			out[from+at] = true
		}
		from = end + 1
	}
	return out
}
