package letter

import (
	"strings"
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
	costAfterWord    = 0.2
	costAfterShort   = 0.35 // after an article or preposition: it belongs to what follows
	costAfterHyphen  = 0.6
	costInPhrase     = 0.35 // between two words of a phrase without space (Chinese, Japanese)
	costInWord       = 2.4  // inside what is probably one word (Chinese, Japanese)
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

// marksOnly reports whether a word is nothing but marks that lean on a word beside them.
func marksOnly(word []rune) bool {
	for _, r := range word {
		if !strings.ContainsRune("!?.,:;…‼⁇⁈⁉！？。、·\"'»›”’)", r) {
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
	before := text[at-1]
	if before == ' ' {
		w := wordBefore(text[:at-1])
		if len(w) > 0 && unicode.IsPunct(w[len(w)-1]) {
			return 0 // a clause ends here
		}
		switch n := len(w); {
		case pipeline.IsCJK(lang):
		case n == 1:
			return 3 * costAfterShort
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
	case lang == "ja":
		return japaneseCost(text, at)
	default:
		return costInPhrase
	}
}

// Pairs of kana that are one particle, or a verb's ending; a break falls before or after, never inside.
var kanaPairs = map[string]bool{
	"から": true, "まで": true, "より": true, "ので": true, "のに": true, "には": true, "では": true, "とは": true,
	"でも": true, "にも": true, "とも": true, "へと": true, "への": true, "です": true, "ます": true, "でき": true,
	"した": true, "して": true, "する": true, "った": true, "って": true, "ない": true, "なる": true, "もう": true,
	"でし": true, "まし": true, "ませ": true, "こと": true, "もの": true, "よう": true, "とこ": true, "ここ": true,
	"この": true, "その": true, "あの": true, "どの": true, "これ": true, "それ": true, "あれ": true, "どれ": true,
}

// japaneseCost guesses phrases (bunsetsu) by script: one begins with an ideograph or katakana and ends with its
// particles in hiragana, so that a change from hiragana to the others is the best place for a break.
func japaneseCost(text []rune, at int) float64 {
	before, after := text[at-1], text[at]
	hira := func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }
	kata := func(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }
	switch {
	case before == 'っ' || before == 'ッ':
		return 2 * costInWord
	case hira(before) && !hira(after):
		return 0.05
	case hira(before) && kanaPairs[string(text[at-1:at+1])]:
		return costInWord
	case hira(before) && isTopicParticle(before):
		return 0.6
	case kata(before) && kata(after), hira(after):
		return costInWord
	case kata(before), kata(after):
		return 0.7
	default:
		return 1.8
	}
}

func isTopicParticle(r rune) bool {
	switch r {
	case 'は', 'が', 'を', 'に', 'で', 'と', 'も', 'へ', 'の':
		return true
	}
	return false
}
