package letter

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/font"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/fontfile"
)

// Style is the typographic style of a text.
type Style string

// The styles. A script without a font for a style uses that of its dialogue.
const (
	Dialogue  Style = "dialogue"
	Italic    Style = "italic"    // dialogue and narration in italics in the source
	Narration Style = "narration" // captions
	Shout     Style = "shout"     // dialogue far louder than the rest
	Effect    Style = "effect"    // sound effects and titles
)

var styles = []Style{Dialogue, Italic, Narration, Shout, Effect}

// houseFonts are the default fonts of each script, by style and from light to bold. All are under the SIL Open Font License.
var houseFonts = map[script]map[Style][]string{
	latin: {
		Dialogue: {"ComicNeue_400Regular", "ComicNeue_700Bold"}, Italic: {"ComicNeue_400Regular_Italic", "ComicNeue_700Bold_Italic"},
		Effect: {"Bangers_400Regular"},
	},
	vietnamese: {Dialogue: {"MPLUSRounded1c_400Regular", "MPLUSRounded1c_500Medium", "MPLUSRounded1c_700Bold"}, Effect: {"Bangers_400Regular"}},
	cyrillic:   {Dialogue: {"ComicRelief_400Regular", "ComicRelief_700Bold"}},
	greek:      {Dialogue: {"ComicRelief_400Regular", "ComicRelief_700Bold"}},
	japanese: {
		Dialogue:  {"MPLUSRounded1c_400Regular", "MPLUSRounded1c_500Medium", "MPLUSRounded1c_700Bold", "MPLUSRounded1c_800ExtraBold"},
		Narration: {"ZenMaruGothic_400Regular", "ZenMaruGothic_500Medium", "ZenMaruGothic_700Bold"}, Effect: {"DelaGothicOne_400Regular"},
	},
	hans:   {Dialogue: {"NotoSansSC_400Regular", "NotoSansSC_500Medium", "NotoSansSC_700Bold"}, Effect: {"ZCOOLKuaiLe_400Regular"}},
	hant:   {Dialogue: {"NotoSansTC_400Regular", "NotoSansTC_500Medium", "NotoSansTC_700Bold"}, Effect: {"DelaGothicOne_400Regular"}},
	hangul: {Dialogue: {"NanumGothic_400Regular", "NanumGothic_700Bold", "NanumGothic_800ExtraBold"}, Effect: {"BlackHanSans_400Regular"}},
	arabic: {Dialogue: {"NotoSansArabic_400Regular", "NotoSansArabic_700Bold"}},
	hebrew: {Dialogue: {"NotoSansHebrew_400Regular", "NotoSansHebrew_700Bold"}},
}

// fallbackFonts are searched in this order for characters that the fonts of a script lack: symbols, emoji, words in another script.
var fallbackFonts = []string{
	"ComicNeue_700Bold", "ComicRelief_700Bold", "MPLUSRounded1c_700Bold", "NotoSansJP_700Bold", "NotoEmoji_700Bold",
	"NotoSansSC_500Medium", "NotoSansTC_500Medium", "NanumGothic_700Bold", "NotoSansArabic_700Bold", "NotoSansHebrew_700Bold",
}

// fonts are the fonts of a letterer. They are safe for concurrent use.
type fonts struct {
	faces    map[script]map[Style][]*lazyFont
	fallback []*lazyFont
}

// lazyFont is a font file that is read when a text first needs it, because most pages have one script.
type lazyFont struct {
	load func() (*font.Font, error)
}

func newLazyFont(path string) *lazyFont {
	return &lazyFont{load: sync.OnceValues(func() (*font.Font, error) { return fontfile.Read(path) })}
}

// findFonts finds the default fonts in the folder house and, unless user is empty, the user's fonts in the folder user. A file named
// SCRIPT-STYLE.ttf or .otf there replaces the default font. findFonts fails with CodeModelMissing, naming the file, if a default font is
// missing or a user's font is not a font, and with CodeInvalidInput if the name of a user's font is not known.
func findFonts(house, user string) (*fonts, error) {
	f := &fonts{faces: map[script]map[Style][]*lazyFont{}}
	found, missing := map[string]*lazyFont{}, error(nil)
	get := func(name string) *lazyFont {
		if found[name] == nil {
			path := filepath.Join(house, name+".ttf")
			if _, err := os.Stat(path); err != nil {
				missing = core.Wrap(core.CodeModelMissing, err, "font "+filepath.Base(path)+" cannot be read")
			}
			found[name] = newLazyFont(path)
		}
		return found[name]
	}
	for s, names := range houseFonts {
		f.faces[s] = map[Style][]*lazyFont{}
		for st, weights := range names {
			for _, name := range weights {
				f.faces[s][st] = append(f.faces[s][st], get(name))
			}
		}
	}
	for _, name := range fallbackFonts {
		f.fallback = append(f.fallback, get(name))
	}
	if missing != nil {
		return nil, missing
	}
	return f, f.replace(user)
}

// replace replaces default fonts with those in the user's folder.
func (f *fonts) replace(user string) error {
	if user == "" {
		return nil
	}
	entries, err := os.ReadDir(user)
	if err != nil {
		return core.Wrap(core.CodeModelMissing, err, "the folder of fonts cannot be read")
	}
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if e.IsDir() || ending != ".ttf" && ending != ".otf" {
			continue
		}
		name, kind, _ := strings.Cut(strings.TrimSuffix(e.Name(), ending), "-")
		if houseFonts[script(name)] == nil || !slices.Contains(styles, Style(kind)) {
			return core.Errorf(core.CodeInvalidInput,
				"font %s is not named SCRIPT-STYLE; scripts are %v; styles are %v", e.Name(), slices.Sorted(maps.Keys(houseFonts)), styles)
		}
		face := newLazyFont(filepath.Join(user, e.Name()))
		if _, err := face.load(); err != nil {
			return err
		}
		f.faces[script(name)][Style(kind)] = []*lazyFont{face}
	}
	return nil
}

// of returns the fonts of a style, from light to bold, or those of dialogue if the script has none for the style.
func (f *fonts) of(s script, st Style) []*lazyFont {
	if of := f.faces[s][st]; len(of) > 0 {
		return of
	}
	return f.faces[s][Dialogue]
}

// weights returns the fonts of a style, from light to bold. For sounds with thin strokes, those of dialogue come first.
func (f *fonts) weights(s script, st Style) []*lazyFont {
	of := f.of(s, st)
	if st == Effect && len(f.faces[s][st]) > 0 {
		return slices.Concat(f.faces[s][Dialogue], of)
	}
	return of
}

// chain returns the fonts to search for a glyph, in order: first, a dialogue font of the script, and the fallback fonts.
func (f *fonts) chain(s script, first *lazyFont) []*lazyFont {
	out := []*lazyFont{first}
	for _, face := range append([]*lazyFont{f.usual(s, Dialogue)}, f.fallback...) {
		if !slices.Contains(out, face) {
			out = append(out, face)
		}
	}
	return out
}

// usual returns the middle one of the fonts that a script has for a style, or for dialogue.
func (f *fonts) usual(s script, st Style) *lazyFont {
	of := f.of(s, st)
	return of[len(of)/2]
}

// fontChain selects the face of a character: the first face that has it.
type fontChain []*font.Face

// chain returns the faces for a text, and the characters that no font has, each once, in order. It loads fonts until all are found.
func (t *typesetter) chain(fonts []*lazyFont, text []rune) (c fontChain, missing string, err error) {
	lacking := slices.DeleteFunc(slices.Clone(text), func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, ignorable...) })
	for i := 0; i < len(fonts) && (i == 0 || len(lacking) > 0); i++ {
		f, err := fonts[i].load()
		if err != nil {
			return nil, "", err
		}
		if t.faces[f] == nil {
			t.faces[f] = font.NewFace(f)
		}
		c = append(c, t.faces[f])
		lacking = slices.DeleteFunc(lacking, func(r rune) bool {
			_, ok := f.NominalGlyph(r)
			return ok
		})
	}
	for _, r := range lacking {
		if !strings.ContainsRune(missing, r) {
			missing += string(r)
		}
	}
	return c, missing, nil
}

// ignorable are invisible characters that fonts need not have, such as joiners (Unicode, Default_Ignorable_Code_Point).
var ignorable = []*unicode.RangeTable{unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point}

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
