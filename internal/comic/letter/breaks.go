package letter

import (
	"unicode"

	"github.com/go-text/typesetting/segmenter"

	"plait/internal/pipeline"
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
	costAfterShort   = 0.25 // after an article or preposition: it belongs to what follows
	costAfterHyphen  = 0.3
	costInPhrase     = 0.35 // between two words of a phrase without space (Chinese, Japanese)
	costInWord       = 1.2  // inside what is probably one word (Chinese, Japanese)
	costInsideLetter = 9.0  // inside a word of a spaced script: when it cannot fit alone
)

// chances are the places where the text may break, the end of the text last. With inWords, words may be broken anywhere
// between letters, as a last resort.
func chances(text []rune, clusters []cluster, lang string, inWords bool) []chance {
	allowed := make([]bool, len(text)+1)
	var seg segmenter.Segmenter
	seg.Init(text)
	for lines := seg.LineIterator(); lines.Next(); {
		l := lines.Line()
		allowed[l.Offset+len(l.Text)] = true
	}
	var graphemes []bool
	if inWords {
		graphemes = make([]bool, len(text)+1)
		for it := seg.GraphemeIterator(); it.Next(); {
			graphemes[it.Grapheme().Offset] = true
		}
	}
	var out []chance
	for i := 1; i < len(clusters); i++ {
		at := clusters[i].start
		switch {
		case clusters[i-1].end != at:
		case allowed[at] && houseAllows(text, at):
			out = append(out, chance{at: i, cost: breakCost(text, at, lang)})
		case inWords && graphemes[at] && !clusters[i].space && !clusters[i-1].space:
			latin := unicode.IsLetter(text[at-1]) && unicode.IsLetter(text[at]) && !isWide(text[at])
			out = append(out, chance{at: i, cost: costInsideLetter, hyphen: latin})
		}
	}
	return append(out, chance{at: len(clusters)})
}

// houseAllows adds to UAX 14: a mark that stands alone (the ! of "No !", an ellipsis) stays with its word, but a line may
// end after a dash; and small particles of Chinese do not begin a line.
func houseAllows(text []rune, at int) bool {
	if text[at-1] == ' ' {
		return !marksOnly(word(text[at:])) && !marksOnly(wordBefore(text[:at-1]))
	}
	return !isParticle(text[at])
}

func word(text []rune) []rune {
	for i, r := range text {
		if r == ' ' {
			return text[:i]
		}
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

func marksOnly(word []rune) bool {
	for _, r := range word {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) || unicode.Is(unicode.Pd, r) {
			return false
		}
	}
	return true
}

// isParticle: Chinese particles that lean on the word before them.
func isParticle(r rune) bool {
	switch r {
	case '的', '了', '吗', '嗎', '吧', '呢', '们', '們', '着', '过', '啊', '呀', '嘛':
		return true
	}
	return false
}

func breakCost(text []rune, at int, lang string) float64 {
	before, after := text[at-1], text[at]
	if before == ' ' {
		w := wordBefore(text[:at-1])
		if len(w) > 0 && unicode.IsPunct(w[len(w)-1]) {
			return 0 // a clause ends here
		}
		if n := len(w); n <= 3 && !pipeline.IsCJK(lang) {
			return costAfterShort
		}
		return 0.08
	}
	switch {
	case unicode.IsPunct(before) && isWide(before), before == '…', before == '‼', before == '⁉':
		return 0
	case before == '-' || before == '‐':
		return costAfterHyphen
	case lang == "ja":
		return japaneseCost(before, after)
	default:
		return costInPhrase
	}
}

// japaneseCost guesses phrases (bunsetsu) by script: one begins with an ideograph or katakana and ends with its particles in
// hiragana, so that a change from hiragana to the others is the best place for a break.
func japaneseCost(before, after rune) float64 {
	hira := func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }
	kata := func(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
	switch {
	case hira(before) && !hira(after):
		return 0.1
	case hira(before) && isTopicParticle(before):
		return 0.3
	case hira(before):
		return 0.8
	case kata(before) && kata(after), hira(after):
		return costInWord
	default:
		return 0.8
	}
}

func isTopicParticle(r rune) bool {
	switch r {
	case 'は', 'が', 'を', 'に', 'で', 'と', 'も', 'へ':
		return true
	}
	return false
}
