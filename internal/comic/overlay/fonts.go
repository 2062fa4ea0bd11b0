package overlay

import (
	"os"
	"path/filepath"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"plait/internal/core"
)

// Fonts are the fonts for labels. They are safe for concurrent use.
type Fonts struct {
	japanese, hans, hant, hangul *sfnt.Font
}

// LoadFonts reads the fonts of the assets from the folder dir. If a file is missing or is not a font, it fails with CodeModelMissing and
// names the file.
func LoadFonts(dir string) (*Fonts, error) {
	f := &Fonts{}
	for _, each := range []struct {
		name string
		to   **sfnt.Font
	}{
		{"NotoSansJP_500Medium.ttf", &f.japanese},
		{"NotoSansSC_500Medium.ttf", &f.hans},
		{"NotoSansTC_500Medium.ttf", &f.hant},
		{"NanumGothic_700Bold.ttf", &f.hangul},
	} {
		b, err := os.ReadFile(filepath.Join(dir, each.name))
		if err != nil {
			return nil, core.Wrap(core.CodeModelMissing, err, "font "+each.name+" cannot be read")
		}
		if *each.to, err = opentype.Parse(b); err != nil {
			return nil, core.Wrap(core.CodeModelMissing, err, "font "+each.name+" is not a TrueType or OpenType font")
		}
	}
	return f, nil
}

// chain returns the fonts to search for a glyph, in order. The order depends on the language, because a character may have different forms
// in Japanese and Chinese.
func (f *Fonts) chain(lang string) []*sfnt.Font {
	switch lang {
	case "zh-Hans":
		return []*sfnt.Font{f.hans, f.japanese, f.hant, f.hangul}
	case "zh-Hant":
		return []*sfnt.Font{f.hant, f.japanese, f.hans, f.hangul}
	default:
		return []*sfnt.Font{f.japanese, f.hans, f.hant, f.hangul}
	}
}

// typeface draws text of one size in one language. It is not safe for concurrent use, because faces have buffers.
type typeface struct {
	fonts []*sfnt.Font
	faces []font.Face
	buf   sfnt.Buffer
	// size, ascent and descent are in pixels.
	size, ascent, descent int
}

func (f *Fonts) typeface(lang string, size int) (*typeface, error) {
	t := &typeface{fonts: f.chain(lang), size: size}
	for _, each := range t.fonts {
		// At 72 dpi a point is a pixel.
		face, err := opentype.NewFace(each, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
		if err != nil {
			return nil, core.Wrap(core.CodeInternal, err, "a font for labels cannot be used")
		}
		t.faces = append(t.faces, face)
	}
	// The metrics of Noto leave room for every script; Latin and CJK glyphs need less.
	t.ascent, t.descent = size*9/10, size/4
	return t, nil
}

// run is a part of a text in one face.
type run struct {
	face font.Face
	text string
}

// runs splits a text into runs. The face of a character is the first one that has it.
func (t *typeface) runs(text string) []run {
	var out []run
	last := -1
	for _, r := range text {
		k := t.find(r)
		if k != last {
			out = append(out, run{face: t.faces[k]})
			last = k
		}
		out[len(out)-1].text += string(r)
	}
	return out
}

func (t *typeface) find(r rune) int {
	for i, f := range t.fonts {
		if g, err := f.GlyphIndex(&t.buf, r); err == nil && g != 0 {
			return i
		}
	}
	return 0
}

// width returns the width of a text on one line, in pixels.
func (t *typeface) width(text string) int {
	var w fixed.Int26_6
	for _, r := range t.runs(text) {
		w += font.MeasureString(r.face, r.text)
	}
	return w.Ceil()
}
