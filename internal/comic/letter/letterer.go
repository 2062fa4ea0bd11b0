// Package letter sets translations into an erased page, for the render stage. A [Letterer] has the fonts and the data of the languages;
// [Letterer.Draw] takes a [Page], draws on it, and returns a [Report] of each region. The package neither erases nor translates.
//
// # Steps
//
//  1. The text area: the inside of the bubble or caption, or a substitute for it; see package textarea.
//  2. The text: prepared for the language (quotes, dashes and ellipses, capitals for dialogue in alphabets that have them, full-width
//     marks), shaped by HarfBuzz in runs of one direction, with a fallback font for characters that the first font lacks.
//  3. The line breaks: chosen over the whole text, so that the lines follow the contour of the text area and none is very short.
//     Unicode's line breaking algorithm (UAX 14) gives the places, with additional rules: kinsoku, phrases in Chinese and Japanese,
//     whole words in Korean. Words are hyphenated, by the patterns of their language, as a last resort.
//  4. The size: one for the normal dialogue of a page where the bubbles allow it; louder and quieter text in proportion to its source.
//     A text that fits only below the least legible size overflows, and the report says how much of it would fit. Sounds and labels are as
//     large as their source.
//     What stands between tags, or else a sentence, or the end of one, whose source is bolder than the text around it, is set as bold, large
//     and slanted as its source.
//  5. The drawing: anti-aliased glyphs in the source's color where that is legible, in italics where the source is, with the source's
//     outline, or with a new outline where art would make the text illegible. Sound effects lean like their source and
//     are drawn behind dialogue.
//
// # Frames
//
// Layout happens in a local frame, in which lines run along x and stack along y. For horizontal text it is the page; for vertical text it
// is the page rotated so that columns are lines; for slanted text it is the page rotated by the slant.
//
// Lengths are in pixels, unless a comment says em: units of the font size.
package letter

import (
	"cmp"
	"os"
	"path/filepath"
	"sync"
	"unicode"

	"plait/internal/comic/letter/phrase"
	"plait/internal/core"
	"plait/internal/hyphen"
	"plait/internal/languages"
)

// Config is the configuration of a Letterer.
type Config struct {
	// Assets is the folder of the fetched assets, with fonts, hyphenation patterns and phrase models.
	Assets string
	// Fonts is a folder of fonts that replace the default ones; empty for none. Files are named SCRIPT-STYLE.ttf or .otf, such as
	// latin-dialogue.ttf. Scripts are latin, vietnamese, cyrillic, greek, japanese, hans, hant, hangul, arabic and hebrew; styles are
	// dialogue, italic, narration, shout and effect.
	Fonts string
}

// Letterer letters pages with its fonts and the data of languages. It is safe for concurrent use.
type Letterer struct {
	fonts  *fonts
	assets string
	// known has the targets that were used before, so that the data of each language is read once.
	known struct {
		sync.Mutex
		targets map[string]target
	}
}

// Open finds the fonts. It fails with CodeModelMissing, naming the file, if a font is missing or a user's font is not a font, and with
// CodeInvalidInput if the name of a user's font is not known.
func Open(c Config) (*Letterer, error) {
	found, err := findFonts(filepath.Join(c.Assets, "fonts"), c.Fonts)
	if err != nil {
		return nil, err
	}
	l := &Letterer{fonts: found, assets: c.Assets}
	l.known.targets = map[string]target{}
	return l, nil
}

// target returns what is known about a language. It reads the files of the language the first time.
func (l *Letterer) target(lang string) (target, error) {
	l.known.Lock()
	defer l.known.Unlock()
	if t, ok := l.known.targets[lang]; ok {
		return t, nil
	}
	t := target{lang: lang, script: cmp.Or(scripts[lang], latin)}
	if err := l.learn(&t); err != nil {
		return target{}, err
	}
	l.known.targets[lang] = t
	return t, nil
}

func (l *Letterer) learn(t *target) (err error) {
	if t.words, err = hyphen.Load(l.assets, t.lang); err != nil {
		return err
	}
	if !t.ideographic() {
		return nil
	}
	if t.script == japanese {
		t.phrases, err = phrase.OpenJapanese()
		return err
	}
	b, err := os.ReadFile(filepath.Join(l.assets, "phrases", t.lang+".json"))
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the phrase model of "+t.lang+" cannot be read")
	}
	if t.phrases, err = phrase.Parse(b); err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the phrase model of "+t.lang+" is damaged")
	}
	return nil
}

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
