package letter

import (
	"unicode"

	"plait/internal/comic/letter/phrase"
	"plait/internal/hyphen"
	"plait/internal/languages"
)

// script is the writing system of a target language, as far as lettering distinguishes it.
type script string

// The scripts. The names are used in the file names of the user's fonts.
const (
	latin      script = "latin"
	vietnamese script = "vietnamese" // Latin with stacked marks, which few fonts have
	cyrillic   script = "cyrillic"
	greek      script = "greek"
	japanese   script = "japanese"
	hans       script = "hans"
	hant       script = "hant"
	hangul     script = "hangul"
	arabic     script = "arabic"
	hebrew     script = "hebrew"
)

// scripts are the scripts of the languages that do not use Latin script.
var scripts = map[string]script{
	"ja": japanese, "zh-Hans": hans, "zh-Hant": hant, "ko": hangul, "vi": vietnamese, "el": greek,
	"ru": cyrillic, "uk": cyrillic, "bg": cyrillic, "ar": arabic, "fa": arabic, "he": hebrew,
}

// target is a target language with its data.
type target struct {
	lang   string
	script script
	// words hyphenates words, and phrases finds where phrases begin. They are nil if there is no data for the language.
	words   *hyphen.Patterns
	phrases phrase.Scorer
	// apart keeps the spaces between words of Chinese and Japanese, as those of drawn sounds are apart.
	apart bool
}

// ideographic reports whether lines are joined without spaces and may be columns.
func (t target) ideographic() bool { return languages.IsCJK(t.lang) }

// square reports whether letters fill a square, so that a line is as high as its font.
func (t target) square() bool { return t.script.square() }

func (s script) square() bool { return s == japanese || s == hans || s == hant || s == hangul }

func (t target) rightToLeft() bool { return t.script == arabic || t.script == hebrew }

// cased reports whether the script has capitals, which dialogue may be set in.
func (t target) cased() bool {
	return t.script == latin || t.script == vietnamese || t.script == cyrillic || t.script == greek
}

func isHangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }
