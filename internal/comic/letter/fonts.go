package letter

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font"

	"plait/internal/pipeline"
)

// style is what a text is set as.
type style string

// The styles. A script without a font for one takes that of its dialogue.
const (
	dialogue  style = "dialogue"
	italic    style = "italic"    // dialogue and narration that the source has in italics
	narration style = "narration" // captions
	shout     style = "shout"     // dialogue far louder than the rest
	effect    style = "effect"    // drawn sounds and titles
)

var styles = []style{dialogue, italic, narration, shout, effect}

// houseFonts are the fetched fonts of each script, by style. All are under the SIL Open Font License.
var houseFonts = map[script]map[style]string{
	latin:      {dialogue: "ComicNeue_700Bold", italic: "ComicNeue_700Bold_Italic", effect: "Bangers_400Regular"},
	vietnamese: {dialogue: "MPLUSRounded1c_700Bold", effect: "Bangers_400Regular"},
	cyrillic:   {dialogue: "ComicRelief_700Bold"},
	greek:      {dialogue: "ComicRelief_700Bold"},
	japanese:   {dialogue: "MPLUSRounded1c_700Bold", narration: "ZenMaruGothic_700Bold", effect: "DelaGothicOne_400Regular"},
	hans:       {dialogue: "NotoSansSC_500Medium", shout: "NotoSansSC_700Bold", effect: "ZCOOLKuaiLe_400Regular"},
	hant:       {dialogue: "NotoSansTC_500Medium", shout: "NotoSansTC_700Bold", effect: "DelaGothicOne_400Regular"},
	hangul:     {dialogue: "NanumGothic_700Bold", effect: "BlackHanSans_400Regular"},
	arabic:     {dialogue: "NotoSansArabic_700Bold"},
	hebrew:     {dialogue: "NotoSansHebrew_700Bold"},
}

// fallbackFonts are asked in this order for what the fonts of a script lack: symbols, emoji, words in another script.
var fallbackFonts = []string{
	"ComicNeue_700Bold", "ComicRelief_700Bold", "MPLUSRounded1c_700Bold", "NotoSansJP_700Bold", "NotoEmoji_700Bold",
	"NotoSansSC_500Medium", "NotoSansTC_500Medium", "NanumGothic_700Bold", "NotoSansArabic_700Bold", "NotoSansHebrew_700Bold",
}

// fonts are loaded fonts; safe for concurrent use.
type fonts struct {
	faces    map[script]map[style]*font.Font
	fallback []*font.Font
}

// loadFonts reads the house's fonts from one folder and, where user is not empty, the user's from another: files named
// SCRIPT-STYLE.ttf or .otf take the place of the house's. It fails with CodeModelMissing naming the file that is absent
// or no font, and with CodeInvalidInput naming one whose name is not known.
func loadFonts(house, user string) (*fonts, error) {
	f := &fonts{faces: map[script]map[style]*font.Font{}}
	loaded := map[string]*font.Font{}
	get := func(name string) (*font.Font, error) {
		if loaded[name] == nil {
			face, err := readFont(filepath.Join(house, name+".ttf"))
			if err != nil {
				return nil, err
			}
			loaded[name] = face
		}
		return loaded[name], nil
	}
	for s, names := range houseFonts {
		f.faces[s] = map[style]*font.Font{}
		for st, name := range names {
			face, err := get(name)
			if err != nil {
				return nil, err
			}
			f.faces[s][st] = face
		}
	}
	for _, name := range fallbackFonts {
		face, err := get(name)
		if err != nil {
			return nil, err
		}
		f.fallback = append(f.fallback, face)
	}
	return f, f.replace(user)
}

// replace puts the user's fonts in their places.
func (f *fonts) replace(user string) error {
	if user == "" {
		return nil
	}
	entries, err := os.ReadDir(user)
	if err != nil {
		return pipeline.Wrap(pipeline.CodeModelMissing, err, "the folder of fonts cannot be read")
	}
	for _, e := range entries {
		ending := filepath.Ext(e.Name())
		if e.IsDir() || ending != ".ttf" && ending != ".otf" {
			continue
		}
		name, kind, _ := strings.Cut(strings.TrimSuffix(e.Name(), ending), "-")
		if houseFonts[script(name)] == nil || !slices.Contains(styles, style(kind)) {
			return pipeline.Errorf(pipeline.CodeInvalidInput,
				"font %s is not named SCRIPT-STYLE; scripts are %s; styles are dialogue, italic, narration, shout and effect", e.Name(), scriptNames())
		}
		face, err := readFont(filepath.Join(user, e.Name()))
		if err != nil {
			return err
		}
		f.faces[script(name)][style(kind)] = face
	}
	return nil
}

func readFont(path string) (*font.Font, error) {
	name := filepath.Base(path)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, "font "+name+" cannot be read")
	}
	face, err := font.ParseTTF(bytes.NewReader(b))
	if err != nil {
		return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, "font "+name+" is not a TrueType or OpenType font")
	}
	return face.Font, nil
}

// chain is the fonts to ask for a glyph, in order.
func (f *fonts) chain(s script, st style) []*font.Font {
	var out []*font.Font
	add := func(face *font.Font) {
		if face != nil && !slices.Contains(out, face) {
			out = append(out, face)
		}
	}
	add(f.faces[s][st])
	add(f.faces[s][dialogue])
	for _, face := range f.fallback {
		add(face)
	}
	return out
}
