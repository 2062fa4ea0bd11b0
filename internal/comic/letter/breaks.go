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

// cheaper are the chances that cost less: without those in words, or in names.
func cheaper(all []chance, than float64) []chance {
	var out []chance
	for _, c := range all {
		if c.cost < than {
			out = append(out, c)
		}
	}
	return out
}

// division says how far words may be broken.
type division int

const (
	wholeWords  division = iota
	divideLong           // where the language divides them, words of longWord letters
	divideWords          // where the language divides them
	breakWords           // anywhere between letters
)

// chances are the places where the text may break, the end of the text last: where Unicode's algorithm allows it (UAX 14)
// and the house rules do, and, with divisions, inside words. Within is what [named] answers for the text.
func (t target) chances(text []rune, clusters []cluster, within []bool, d division) []chance {
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
	switch d {
	case wholeWords:
	case divideLong:
		b.divided = b.divisions(longWord)
	case divideWords, breakWords:
		b.divided = b.divisions(1)
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
	text                                []rune
	allowed, divided, graphemes, within []bool
	phrases                             []float64
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
	case b.divided != nil && b.divided[at] && !b.inName(at):
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
	case marksOnly(b.text[:at]):
		return false // an ellipsis that begins the text is no line
	case before == ' ' && at >= 2 && unicode.IsDigit(b.text[at-2]) && unicode.IsDigit(after):
		return false // a number in groups
	case before == ' ':
		return !marksOnly(word(b.text[at:])) && !marksOnly(wordBefore(b.text[:at-1])) &&
			(!b.ideographic() || !strings.ContainsRune(neverFirst, after) && (at < 2 || !strings.ContainsRune(neverLast, b.text[at-2])))
	case b.script == hangul && !unicode.IsPunct(before):
		return false
	case isDash(after) && !b.square() || isDash(before) && at >= 2 && b.text[at-2] == ' ':
		return false // a dash ends the line of the word that it leans on, and begins that of the word that it opens
	case b.script == hans || b.script == hant:
		return !isParticle(after) && kinsokuAllows(b.text, at)
	case isWide(before) || isWide(after) || b.square():
		return kinsokuAllows(b.text, at) && !endsWord(b.text, at)
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

// marksOnly reports whether a word is nothing but marks that lean on a word beside them.
func marksOnly(word []rune) bool {
	for _, r := range word {
		if !strings.ContainsRune("!?.,:;…‼⁇⁈⁉！？。、·\"'»›”’)“„«‹–—", r) && !isSymbol(r) {
			return false
		}
	}
	return true
}

// longWord is how many letters a word has that letterers divide without regret.
const longWord = 14

// divisions are the places inside words of so many letters where the language divides them.
func (b *breaker) divisions(least int) []bool {
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
		if len(lower) >= least {
			for _, at := range b.words.Divide(lower) {
				out[from+at] = true
			}
		}
		from = end + 1
	}
	return out
}
