// Package letter sets translations into an erased page, as a letterer would.
//
// # The way of a text
//
//  1. The text area: the inside of the bubble or caption, or what stands for it; see package textarea.
//  2. The text: prepared for the language (its quotes, dashes and ellipses, capitals for dialogue of alphabets that have
//     them, full-width marks), shaped by HarfBuzz in runs of one direction, with a fallback font for what the first lacks.
//  3. The breaks: chosen over the whole text, so that the lines follow the contour of the text area and none is a scrap.
//     Where a line may break is Unicode's line breaking algorithm (UAX 14) with house rules on top: kinsoku, phrases of
//     Chinese and Japanese, words of Korean. Words are divided, by the patterns of their language, as a last resort.
//  4. The size: one for the normal dialogue of a page where the bubbles allow it; louder and quieter text in proportion
//     to its source. Of two texts in one interior the longer takes what the other leaves. A size below the legible floor
//     makes a text overflow, which is reported with how much of it would fit.
//  5. The drawing: outlines, anti-aliased, in the source's color where it can be read, in italics where the source is,
//     with its outline, or a rim where art would swallow it. Sounds stand behind speech.
//
// # Frames
//
// Layout happens in a local frame, in which lines run along x and stack along y. For horizontal text it is the page; for
// vertical text it is the page turned, so that columns are lines; for slanted text it is the page rotated.
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
