package letter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/font"
	"golang.org/x/text/unicode/norm"

	"plait/internal/comic"
)

// fontChain selects the face of a character: the first face that has the character or, if none has, the first that has its parts.
type fontChain []*font.Face

// chain returns the faces for a text, and the characters that no font has, each once, in order of appearance. It loads fonts only until
// all characters are found.
func (t *typesetter) chain(fonts []*lazyFont, text []rune) (c fontChain, missing string, err error) {
	lacking := map[rune]bool{}
	for _, r := range text {
		if !unicode.IsSpace(r) && !unicode.In(r, ignorable...) {
			lacking[r] = true
		}
	}
	for i := 0; i < len(fonts) && (i == 0 || len(lacking) > 0); i++ {
		f, err := fonts[i].load()
		if err != nil {
			return nil, "", err
		}
		if t.faces[f] == nil {
			t.faces[f] = font.NewFace(f)
		}
		c = append(c, t.faces[f])
		for r := range lacking {
			if _, ok := f.NominalGlyph(r); ok {
				delete(lacking, r)
			}
		}
	}
	for _, r := range text {
		if lacking[r] && !slices.ContainsFunc(c, composing(r)) {
			missing += string(r)
		}
		delete(lacking, r)
	}
	return c, missing, nil
}

// ignorable are invisible characters that fonts need not have, such as joiners and variation selectors (Unicode,
// Default_Ignorable_Code_Point).
var ignorable = []*unicode.RangeTable{unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point}

// composing returns a function that reports whether a face can draw a character that it lacks as a base letter with marks, as the shaper
// does.
func composing(r rune) func(*font.Face) bool {
	parts := []rune(string(norm.NFD.PropertiesString(string(r)).Decomposition()))
	return func(f *font.Face) bool {
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(part rune) bool {
			_, ok := f.NominalGlyph(part)
			return !ok
		})
	}
}

// without returns the text without the characters that no font has, with its spaces adjusted.
func (t target) without(text []rune, missing string) []rune {
	if missing == "" {
		return text
	}
	had := strings.Map(func(r rune) rune {
		if strings.ContainsRune(missing, r) {
			return -1
		}
		return r
	}, string(text))
	words := strings.FieldsFunc(had, func(r rune) bool { return r == ' ' })
	return []rune(t.spaceMarks(strings.Join(words, " ")))
}

// Draws reports whether anything of a text in lang remains to draw when the characters that no font has are left out. If not, missing has
// these characters. Draws fails like [Letterer.Draw].
func (l *Letterer) Draws(lang, text string) (draws bool, missing string, err error) {
	t, err := l.target(lang)
	if err != nil {
		return false, "", err
	}
	text, _ = prepare(text, t, false, false)
	runes := []rune(text)
	_, missing, err = newTypesetter().chain(l.fonts.chain(t.script, l.fonts.usual(t.script, Dialogue)), runes)
	if draws = strings.TrimSpace(string(t.without(runes, missing))) != ""; draws {
		missing = ""
	}
	return draws, missing, err
}

// ResolveFace implements shaping.Fontmap.
func (c fontChain) ResolveFace(r rune) *font.Face {
	for _, f := range c {
		if _, ok := f.NominalGlyph(r); ok {
			return f
		}
	}
	if i := slices.IndexFunc(c, composing(r)); i >= 0 {
		return c[i]
	}
	return c[0]
}

// forText moves the first font that has every letter of the text to the front, so that no word is set in two faces.
func (c fontChain) forText(text []rune) fontChain {
	for i, f := range c {
		if hasLetters(f, text) {
			chain := append(fontChain{f}, c[:i]...)
			return append(chain, c[i+1:]...)
		}
	}
	return c
}

func hasLetters(f *font.Face, text []rune) bool {
	return !slices.ContainsFunc(text, func(r rune) bool {
		_, ok := f.NominalGlyph(r)
		return !ok && comic.Lettered(r)
	})
}
