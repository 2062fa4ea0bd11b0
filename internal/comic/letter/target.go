package letter

import (
	"slices"
	"strings"
	"unicode"

	"plait/internal/comic/letter/hyphen"
	"plait/internal/comic/letter/phrase"
	"plait/internal/languages"
)

// script is the writing of a target language, as far as lettering tells it apart.
type script string

// The scripts, by the names that the files of a user's fonts have.
const (
	latin      script = "latin"
	vietnamese script = "vietnamese" // Latin with marks above marks, which few fonts have
	cyrillic   script = "cyrillic"
	greek      script = "greek"
	japanese   script = "japanese"
	hans       script = "hans"
	hant       script = "hant"
	hangul     script = "hangul"
	arabic     script = "arabic"
	hebrew     script = "hebrew"
)

func scriptNames() string {
	var names []string
	for s := range houseFonts {
		names = append(names, string(s))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// scripts are those of the languages that are not in Latin script.
var scripts = map[string]script{
	"ja": japanese, "zh-Hans": hans, "zh-Hant": hant, "ko": hangul, "vi": vietnamese, "el": greek,
	"ru": cyrillic, "uk": cyrillic, "bg": cyrillic, "ar": arabic, "fa": arabic, "he": hebrew,
}

// target is the language that texts are set in, and what is known of it.
type target struct {
	lang   string
	script script
	// words divides words, phrases tells where phrases begin; nil where neither is known of the language.
	words   *hyphen.Patterns
	phrases *phrase.Model
}

// ideographic: lines are joined without spaces, and may be columns.
func (t target) ideographic() bool { return languages.IsCJK(t.lang) }

// square: letters fill a square, and a line is as tall as its font.
func (t target) square() bool { return t.script.square() }

func (s script) square() bool { return s == japanese || s == hans || s == hant || s == hangul }

func (t target) rightToLeft() bool { return t.script == arabic || t.script == hebrew }

// cased: there are capitals to set dialogue in.
func (t target) cased() bool {
	return t.script == latin || t.script == vietnamese || t.script == cyrillic || t.script == greek
}

func isHangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }
