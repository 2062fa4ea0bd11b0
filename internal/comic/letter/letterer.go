// Package letter sets translations into an erased page.
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
//     Of two texts in one interior the longer takes what the other leaves. A text that fits only below the legible floor overflows; the
//     report says how much of it would fit.
//  5. The drawing: anti-aliased outlines in the source's color where that is legible, in italics where the source is, with the source's
//     rim, or with a rim of its own where art would make the text illegible. Sounds are drawn behind speech.
//
// # Frames
//
// Layout happens in a local frame, in which lines run along x and stack along y. For horizontal text it is the page; for vertical text it
// is the page rotated so that columns are lines; for slanted text it is the page rotated by the slant.
//
// Lengths are in pixels, unless a comment says em: units of the font size.
package letter

import (
	"os"
	"path/filepath"
	"sync"

	"plait/internal/comic/letter/hyphen"
	"plait/internal/comic/letter/phrase"
	"plait/internal/core"
)

// Config says what a Letterer is made of.
type Config struct {
	// Assets is the folder of the fetched assets, with fonts, hyphenation and phrases.
	Assets string
	// Fonts is a folder of fonts that take the place of the house's, named SCRIPT-STYLE.ttf or .otf, such as
	// latin-dialogue.ttf; empty for none. Scripts are latin, vietnamese, cyrillic, greek, japanese, hans, hant, hangul,
	// arabic and hebrew; styles are dialogue, italic, narration, shout and effect.
	Fonts string
}

// Letterer has the fonts, and what is known of languages. It is safe for concurrent use.
type Letterer struct {
	fonts  *fonts
	assets string
	// known are the languages that were asked for: what is known of them is read once.
	known struct {
		sync.Mutex
		targets map[string]target
	}
}

// Open finds the fonts. It fails with CodeModelMissing naming the file that is absent or no font, and with
// CodeInvalidInput naming a user's font whose name is not known.
func Open(c Config) (*Letterer, error) {
	found, err := findFonts(filepath.Join(c.Assets, "fonts"), c.Fonts)
	if err != nil {
		return nil, err
	}
	l := &Letterer{fonts: found, assets: c.Assets}
	l.known.targets = map[string]target{}
	return l, nil
}

// divided are the languages whose words are divided, by their file.
var divided = []string{"en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "ru"}

// target is what is known of a language.
func (l *Letterer) target(lang string) (target, error) {
	l.known.Lock()
	defer l.known.Unlock()
	if t, ok := l.known.targets[lang]; ok {
		return t, nil
	}
	t := target{lang: lang, script: latin}
	if s, ok := scripts[lang]; ok {
		t.script = s
	}
	if err := l.learn(&t); err != nil {
		return target{}, err
	}
	l.known.targets[lang] = t
	return t, nil
}

func (l *Letterer) learn(t *target) error {
	for _, known := range divided {
		if known != t.lang {
			continue
		}
		b, err := os.ReadFile(filepath.Join(l.assets, "hyphenation", t.lang+".js"))
		if err != nil {
			return core.Wrap(core.CodeModelMissing, err, "the hyphenation of "+t.lang+" cannot be read")
		}
		if t.words, err = hyphen.Parse(string(b)); err != nil {
			return core.Wrap(core.CodeModelMissing, err, "the hyphenation of "+t.lang+" is not what was fetched")
		}
	}
	if !t.ideographic() {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(l.assets, "phrases", t.lang+".json"))
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the phrases of "+t.lang+" cannot be read")
	}
	if t.phrases, err = phrase.Parse(b); err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the phrases of "+t.lang+" are not what was fetched")
	}
	return nil
}
