package letter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"
)

// chance is a place where a line may end: before cluster at. Its cost is what a letterer would give to avoid it, on the
// scale of the layout's cost.
type chance struct {
	at   int
	cost float64
	// hyphen: the line ends inside a word, and shows it.
	hyphen bool
}

// Costs of breaks. A whole line that is a third off its width costs about 1.
const (
	costAfterWord   = 0.2
	costAfterShort  = 0.35 // after an article or preposition: it belongs to what follows
	costAfterHyphen = 2.4
	costNewPhrase   = 0.05 // where a phrase begins (Chinese, Japanese)
	costInPhrase    = 1.0  // inside a phrase, between its words
	costInWord      = 6.5  // inside what is probably one word (Chinese, Japanese)
	costInName      = 10.0 // inside a word in katakana
	costDivided     = 8.0  // inside a word, where its language divides it
	costAnywhere    = 14.0 // inside a word of a spaced script: when it cannot fit alone
)

// gentle are the chances that part no word.
func gentle(all []chance) []chance {
	var out []chance
	for _, c := range all {
		if c.cost < costInWord {
			out = append(out, c)
		}
	}
	return out
}

// division says how far words may be broken.
type division int

const (
	wholeWords division = iota
	divideWords
	breakWords // anywhere between letters
)

// chances are the places where the text may break, the end of the text last: where Unicode's algorithm allows it (UAX 14)
// and the house rules do, and, with divisions, inside words.
func (t target) chances(text []rune, clusters []cluster, d division) []chance {
	b := breaker{target: t, text: text, allowed: make([]bool, len(text)+1)}
	var seg segmenter.Segmenter
	seg.Init(text)
	for lines := seg.LineIterator(); lines.Next(); {
		l := lines.Line()
		b.allowed[l.Offset+len(l.Text)] = true
	}
	if t.phrases != nil {
		b.phrases = t.phrases.Begins(text)
	}
	if d != wholeWords {
		b.divided = b.divisions()
	}
	if d == breakWords {
		b.graphemes = make([]bool, len(text)+1)
		for it := seg.GraphemeIterator(); it.Next(); {
			b.graphemes[it.Grapheme().Offset] = true
		}
	}
	var out []chance
	for i := 1; i < len(clusters); i++ {
		if at := clusters[i].start; clusters[i-1].end == at {
			if c, ok := b.chance(at); ok {
				c.at = i
				out = append(out, c)
			}
		}
	}
	return append(out, chance{at: len(clusters)})
}

// breaker knows of each place in a text what speaks for a break there; slices are nil where nothing is known.
type breaker struct {
	target
	text                                 []rune
	allowed, phrases, divided, graphemes []bool
}

// chance is the break before text[at], if there may be one.
func (b *breaker) chance(at int) (chance, bool) {
	before, after := b.text[at-1], b.text[at]
	if b.allowed[at] && b.houseAllows(at) {
		return chance{cost: b.cost(at)}, true
	}
	if unicode.IsSpace(before) || unicode.IsSpace(after) {
		return chance{}, false
	}
	lettered := unicode.IsLetter(before) && unicode.IsLetter(after)
	switch {
	case b.divided != nil && b.divided[at]:
		return chance{cost: costDivided, hyphen: true}, true
	case b.graphemes == nil || !b.graphemes[at] || !kinsokuAllows(b.text, at) || b.script == arabic:
		return chance{}, false
	case isHangul(before) && isHangul(after):
		return chance{cost: costAnywhere}, true
	case lettered && !isWide(before) && !isWide(after):
		return chance{cost: costAnywhere, hyphen: true}, true
	}
	return chance{}, false
}

// houseAllows adds to UAX 14: kinsoku; a mark that stands alone (the ! of "No !", an ellipsis) stays with its word; Korean
// breaks between words only; and small particles of Chinese do not begin a line.
func (b *breaker) houseAllows(at int) bool {
	before, after := b.text[at-1], b.text[at]
	switch {
	case before == ' ':
		return !marksOnly(word(b.text[at:])) && !marksOnly(wordBefore(b.text[:at-1])) &&
			(!b.ideographic() || !strings.ContainsRune(neverFirst, after) && (at < 2 || !strings.ContainsRune(neverLast, b.text[at-2])))
	case b.script == hangul && !unicode.IsPunct(before):
		return false
	case b.script == hans || b.script == hant:
		return !isParticle(after) && kinsokuAllows(b.text, at)
	case isWide(before) || isWide(after) || b.square():
		return kinsokuAllows(b.text, at)
	}
	return true
}

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

// marksOnly reports whether a word is nothing but marks that lean on a word beside them.
func marksOnly(word []rune) bool {
	for _, r := range word {
		if !strings.ContainsRune("!?.,:;…‼⁇⁈⁉！？。、·\"'»›”’)“„«‹–—♪♫♡♥❤", r) {
			return false
		}
	}
	return true
}

func (b *breaker) cost(at int) float64 {
	before := b.text[at-1]
	if before == ' ' {
		w := wordBefore(b.text[:at-1])
		switch n := len(w); {
		case n > 0 && unicode.IsPunct(w[n-1]):
			return 0 // a clause ends here
		case b.square():
		case n == 1:
			return 5 * costAfterShort
		case n <= 3:
			return costAfterShort
		}
		return costAfterWord
	}
	switch {
	case before == '-' || before == '‐':
		return costAfterHyphen
	case unicode.IsPunct(before):
		return 0
	case before == b.text[at]:
		return costInName // a laugh, or a word that is its own double
	case b.phrases != nil && b.phrases[at]:
		return costNewPhrase
	case b.script == japanese:
		return max(costInPhrase, japaneseCost(b.text, at))
	default:
		return costInWord
	}
}

// divisions are the places inside words where the language divides them.
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
