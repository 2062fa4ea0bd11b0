package letter

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-text/typesetting/font"

	"plait/internal/pipeline"
)

// Files are the font files (TrueType or OpenType) by what they are for.
type Files struct {
	// Latin is for dialogue in Latin script; Effect for shouted free text; Japanese, Hans and Hant for those scripts;
	// Wide is asked for what a font lacks.
	Latin, Effect, Japanese, Hans, Hant, Wide string
}

// DefaultFiles are the fonts that are fetched with the assets, in folder dir.
func DefaultFiles(dir string) Files {
	in := func(name string) string { return filepath.Join(dir, name+".ttf") }
	return Files{
		Latin:    in("ComicNeue_700Bold"),
		Effect:   in("Bangers_400Regular"),
		Japanese: in("MPLUSRounded1c_700Bold"),
		Hans:     in("NotoSansSC_500Medium"),
		Hant:     in("NotoSansTC_500Medium"),
		Wide:     in("NotoSansJP_700Bold"),
	}
}

// Fonts are loaded fonts; safe for concurrent use.
type Fonts struct {
	latin, effect, japanese, hans, hant, wide *font.Font
}

// LoadFonts reads the font files. It fails with CodeModelMissing naming the file that is absent or not a font.
func LoadFonts(files Files) (*Fonts, error) {
	f := &Fonts{}
	for _, each := range []struct {
		path string
		to   **font.Font
	}{
		{files.Latin, &f.latin}, {files.Effect, &f.effect}, {files.Japanese, &f.japanese},
		{files.Hans, &f.hans}, {files.Hant, &f.hant}, {files.Wide, &f.wide},
	} {
		b, err := os.ReadFile(each.path)
		if err != nil {
			return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, "font "+filepath.Base(each.path)+" cannot be read")
		}
		face, err := font.ParseTTF(bytes.NewReader(b))
		if err != nil {
			return nil, pipeline.Wrap(pipeline.CodeModelMissing, err, "font "+filepath.Base(each.path)+" is not a TrueType or OpenType font")
		}
		*each.to = face.Font
	}
	return f, nil
}

// style is what a text is set as.
type style int

const (
	dialogue style = iota
	effect
)

// chain is the fonts to ask for a glyph, in order.
func (f *Fonts) chain(lang string, s style) []*font.Font {
	switch {
	case lang == "ja":
		return []*font.Font{f.japanese, f.wide, f.hans, f.hant}
	case lang == "zh-Hans":
		return []*font.Font{f.hans, f.wide, f.hant}
	case strings.HasPrefix(lang, "zh"):
		return []*font.Font{f.hant, f.wide, f.hans}
	case s == effect:
		return []*font.Font{f.effect, f.latin, f.wide, f.japanese, f.hans}
	default:
		return []*font.Font{f.latin, f.wide, f.japanese, f.hans}
	}
}
