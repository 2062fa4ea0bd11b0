// Package typeset sets translations into the areas of their source texts.
//
// A translation keeps the place, the size and the style of its source. Where it does not fit, these steps follow one after the other: it
// takes the room around its source, its lines come closer, and its size shrinks by half points. Below six points, or three quarters of a
// source that is hardly larger than that, it still shrinks, and is marked as overflowing. What does not fit even then is not set, so that no
// text runs over another.
//
// Lines break where Unicode allows it (UAX 14), which includes the rules for Chinese and Japanese punctuation, and in words where their
// language divides them. The hyphen is a soft one (U+00AD), so that a reader who copies the text joins the word. Text of right-to-left scripts
// is set by the bidirectional algorithm (UAX 9). Formulas are boxes in their line; they keep their glyphs, which move.
package typeset

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/go-text/typesetting/font"

	"plait/internal/assets"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/fontfile"
	"plait/internal/hyphen"
)

// Faces are the faces of the installation. They are safe for concurrent use.
type Faces struct {
	dir   string
	paths map[string]string

	mu     sync.Mutex
	loaded map[string]*font.Font
	words  map[string]*hyphen.Patterns
}

// The names of faces are those of their files, without the extension.
const (
	regular    = "_400Regular"
	bold       = "_700Bold"
	italicOf   = "_Italic"
	serif      = "NotoSerif"
	sans       = "NotoSans"
	mono       = "NotoSansMono"
	simplified = "NotoSansSC"
	tradition  = "NotoSansTC"
	japanese   = "NotoSansJP"
	korean     = "NanumGothic"
	arabic     = "NotoSansArabic"
	hebrew     = "NotoSansHebrew"
)

// OpenFaces finds the faces among the fetched files. It fails with CodeModelMissing when one is missing.
func OpenFaces(set *assets.Set) (*Faces, error) {
	f := &Faces{dir: set.Dir(), paths: map[string]string{}, loaded: map[string]*font.Font{}, words: map[string]*hyphen.Patterns{}}
	for _, file := range set.Fonts() {
		name := file.Path[strings.LastIndexByte(file.Path, '/')+1:]
		f.paths[strings.TrimSuffix(name, ".ttf")] = file.Path
	}
	for _, name := range []string{serif, sans, mono, simplified, tradition, japanese, korean, arabic, hebrew} {
		if f.paths[name+regular] == "" {
			return nil, core.Errorf(core.CodeModelMissing, "the font %s%s is missing", name, regular)
		}
	}
	return f, nil
}

// Bytes returns the file of a face, to embed it.
func (f *Faces) Bytes(name string) ([]byte, error) {
	path, known := f.paths[name]
	if !known {
		return nil, core.Errorf(core.CodeModelMissing, "there is no font %q", name)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, core.Wrap(core.CodeModelMissing, err, fmt.Sprintf("the font %s cannot be read", name))
	}
	return b, nil
}

// load returns a face; nil for one that the installation does not have, or that is damaged.
func (f *Faces) load(name string) *font.Font {
	f.mu.Lock()
	defer f.mu.Unlock()
	if face, known := f.loaded[name]; known {
		return face
	}
	var loaded *font.Font
	if path, known := f.paths[name]; known {
		loaded, _ = fontfile.Read(path)
	}
	f.loaded[name] = loaded
	return loaded
}

// patterns returns the hyphenation patterns of a language; nil for one without, and for a damaged file.
func (f *Faces) patterns(lang string) *hyphen.Patterns {
	f.mu.Lock()
	defer f.mu.Unlock()
	words, known := f.words[lang]
	if !known {
		words, _ = hyphen.Load(f.dir, lang)
		f.words[lang] = words
	}
	return words
}

// named is a face with its name. skewed is set for an upright face that stands for an italic one.
type named struct {
	name   string
	face   *font.Face
	skewed bool
}

// chain are the faces of a style, in the order in which they are tried for a character. They are loaded when a character needs them.
type chain struct {
	faces []named
	// rest are the families that are not loaded yet, and open loads the face of one; false when the installation has none.
	rest []string
	open func(family string) (named, bool)
	// last is the face of the last character: marks and spaces keep it.
	last    *font.Face
	missing []rune
}

// families are the families for a language after the one of the style: the first that has a character is used.
func families(lang string) []string {
	switch {
	case strings.HasPrefix(lang, "zh-Hant"), lang == "zh-TW", lang == "zh-HK":
		return []string{tradition, simplified, japanese, korean, arabic, hebrew}
	case strings.HasPrefix(lang, "ja"):
		return []string{japanese, simplified, tradition, korean, arabic, hebrew}
	case strings.HasPrefix(lang, "ko"):
		return []string{korean, japanese, simplified, tradition, arabic, hebrew}
	case RightToLeft(lang):
		return []string{arabic, hebrew, simplified, tradition, japanese, korean}
	}
	return []string{simplified, tradition, japanese, korean, arabic, hebrew}
}

// chain returns the faces of a style. Faces keep caches, so they belong to one setter.
func (s *setter) chain(style document.Style) *chain {
	key := styleKey{style.Serif, style.Fixed, style.Bold, style.Italic}
	if c := s.chains[key]; c != nil {
		return c
	}
	first := sans
	switch {
	case style.Fixed:
		first = mono
	case style.Serif:
		first = serif
	}
	weight := regular
	if style.Bold {
		weight = bold
	}
	c := &chain{rest: append(append([]string{first}, families(s.lang)...), sans, serif)}
	c.open = func(family string) (named, bool) {
		names := []string{family + weight, family + regular}
		if style.Italic {
			names = append([]string{family + weight + italicOf}, names...)
		}
		for _, name := range names {
			if loaded := s.faces.load(name); loaded != nil {
				return named{name, font.NewFace(loaded), style.Italic && !strings.HasSuffix(name, italicOf)}, true
			}
		}
		return named{}, false
	}
	c.more()
	s.chains[key] = c
	return c
}

type styleKey struct{ serif, fixed, bold, italic bool }

// more loads the next face that the installation has, and reports whether there is one.
func (c *chain) more() bool {
	for len(c.rest) > 0 {
		family := c.rest[0]
		c.rest = c.rest[1:]
		if face, ok := c.open(family); ok {
			c.faces = append(c.faces, face)
			return true
		}
	}
	return false
}

// ResolveFace implements shaping.Fontmap.
func (c *chain) ResolveFace(r rune) *font.Face {
	if c.last != nil && (ignorable(r) || has(c.last, r) && r == ' ') {
		return c.last
	}
	if ignorable(r) {
		return c.faces[0].face
	}
	for i := 0; i < len(c.faces) || c.more(); i++ {
		if n := c.faces[i]; has(n.face, r) {
			c.last = n.face
			return n.face
		}
	}
	c.missing = append(c.missing, r)
	return c.faces[0].face
}

func has(f *font.Face, r rune) bool {
	_, ok := f.NominalGlyph(r)
	return ok
}

// ignorable reports whether a character needs no glyph: controls, joiners and marks of direction.
func ignorable(r rune) bool {
	return r < ' ' || r == object || r == '\u00ad' || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r >= 0xfe00 && r <= 0xfe0f
}

// find returns the name of a face of the chain.
func (c *chain) find(face *font.Face) named {
	for _, n := range c.faces {
		if n.face == face {
			return n
		}
	}
	return c.faces[0]
}
