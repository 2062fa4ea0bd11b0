package phrase

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"

	"plait/internal/core"
)

// Japanese finds phrases by the parts of speech of words (the IPA dictionary of MeCab). It is safe for concurrent use.
type Japanese struct {
	words *tokenizer.Tokenizer
}

// OpenJapanese reads the dictionary, which takes about a second the first time.
func OpenJapanese() (*Japanese, error) {
	words, err := tokenizer.New(ipa.DictShrink(), tokenizer.OmitBosEos())
	if err != nil {
		return nil, core.Wrap(core.CodeInternal, err, "the dictionary of Japanese cannot be read")
	}
	return &Japanese{words}, nil
}

// The scores of a place, by how closely the words on its two sides belong together.
const (
	afterClause   = 1.0  // a sentence or a clause ends, as after て or から
	afterParticle = 0.75 // after a particle, such as は, が, を and に
	afterWord     = 0.5  // after a word without a particle
	afterModifier = 0.2  // after a word that modifies the next one, such as この and の, or needs it, such as a verb its auxiliary verb
	inPhrase      = -0.5 // before a word that continues the phrase, such as a particle
	inWord        = -2.0
)

// Scores implements [Scorer].
func (j *Japanese) Scores(text []rune) []float64 {
	out := make([]float64, len(text)+1)
	for i := range out {
		out[i] = inWord
	}
	var before, last word
	for i, t := range j.words.Tokenize(string(text)) {
		next := newWord(t)
		if i > 0 && t.Start < len(text) {
			out[t.Start] = score(before, last, next)
		}
		before, last = last, next
	}
	out[0], out[len(text)] = 0, 0
	return out
}

// word is a word with its part of speech and subclass as the IPA dictionary names them.
type word struct {
	text, part, sub string
}

func newWord(t tokenizer.Token) word {
	w := word{text: t.Surface}
	if pos := t.POS(); len(pos) > 1 {
		w.part, w.sub = pos[0], pos[1]
	}
	return w
}

// dependent reports whether a word continues the phrase of the word before it.
func (w word) dependent() bool {
	switch w.part {
	case "助詞", "助動詞":
		return true
	case "動詞", "形容詞":
		return w.sub == "接尾" || w.sub == "非自立"
	case "名詞":
		return w.sub == "接尾" || w.sub == "非自立" && (w.text == "の" || w.text == "ん" || w.text == "よう" || w.text == "そう")
	}
	return false
}

func (w word) inflected() bool {
	return w.part == "動詞" || w.part == "形容詞" || w.part == "助動詞"
}

// score returns the score of the place between last and next. before is the word before last.
func score(before, last, next word) float64 {
	switch {
	case next.part == "記号", last.part == "記号" && !next.dependent(): // other rules know about marks
		return afterClause
	case last.sub == "接続助詞" && next.part != "助詞" && (last.text != "て" && last.text != "で" || !next.dependent()):
		return afterClause
	case last.sub == "接続助詞" && next.part == "動詞":
		return afterModifier
	case next.dependent(), last.part == "接頭詞", last.sub == "サ変接続" && next.lightVerb():
		return inPhrase
	case last.text == "の" && before.inflected(), last.sub == "終助詞", last.part == "感動詞", next.part == "接続詞":
		return afterClause
	case last.sub == "連体化":
		return afterModifier
	case last.sub == "並立助詞":
		return afterWord
	case last.part == "助詞":
		return afterParticle
	case last.inflected():
		return afterInflected(before, last, next)
	case next.sub == "非自立", last.part == "連体詞":
		return afterModifier
	case last.part == "名詞" && next.part == "動詞" && !last.loose():
		return inPhrase // the verb is said of the noun, without a particle
	case last.part == "名詞" && next.part == "名詞" && !last.loose() && !next.loose():
		return inPhrase // a compound
	}
	return afterWord
}

// lightVerb reports whether a word is する or できる, which make verbs of nouns.
func (w word) lightVerb() bool {
	return w.part == "動詞" && (strings.HasPrefix(w.text, "でき") || slices.Contains([]string{"する", "し", "さ", "せ", "すれ", "しろ", "せよ"}, w.text))
}

// loose reports whether a noun forms no compounds.
func (w word) loose() bool {
	return w.sub == "代名詞" || w.sub == "副詞可能" || w.sub == "非自立"
}

// afterInflected returns the score after a verb, an adjective or an auxiliary.
func afterInflected(before, last, next word) float64 {
	auxiliary := last.part == "助動詞"
	switch {
	case auxiliary && (last.text == "な" || last.text == "なる"):
		return afterModifier
	case auxiliary && slices.Contains([]string{"です", "ます", "だ", "たら", "なら"}, last.text),
		last.text == "た" && (before.text == "まし" || before.text == "でし"):
		return afterClause
	case !last.final():
		return afterWord
	case next.sub == "非自立":
		return afterModifier
	case next.part == "名詞" && next.sub != "代名詞", next.inflected():
		return afterWord // it modifies a noun, or a case particle is left out
	}
	return afterClause
}

// final reports whether a word is in the form that ends a sentence or modifies a noun.
func (w word) final() bool {
	last, _ := utf8.DecodeLastRuneInString(w.text)
	return strings.ContainsRune("うくぐすつぬぶむるいただん", last) && (w.part != "動詞" || last != 'い' && last != 'た')
}
