package ink

import (
	"fmt"
	"io/fs"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Font gives glyphs as paths.
type Font struct {
	f   *sfnt.Font
	buf sfnt.Buffer
}

// LoadFont reads the TrueType or OpenType file called name, wherever it lies
// below fsys. The error is fs.ErrNotExist if no such file is there.
func LoadFont(fsys fs.FS, name string) (*Font, error) {
	var found string
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() == name {
			found = path
			return fs.SkipAll
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", name, err)
	}
	if found == "" {
		return nil, fmt.Errorf("font %s: %w", name, fs.ErrNotExist)
	}
	b, err := fs.ReadFile(fsys, found)
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", name, err)
	}
	f, err := sfnt.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("font %s: %w", name, err)
	}
	return &Font{f: f}, nil
}

// Glyph returns the outline of r at size pixels an em, its origin at (0, 0) on
// the base line, and its advance. The error names a rune the font lacks.
func (f *Font) Glyph(r rune, size float64) (*Path, float64, error) {
	ppem := fixed.Int26_6(size * 64)
	i, err := f.f.GlyphIndex(&f.buf, r)
	if err != nil {
		return nil, 0, fmt.Errorf("glyph %q: %w", r, err)
	}
	if i == 0 {
		return nil, 0, fmt.Errorf("glyph %q: %w", r, sfnt.ErrNotFound)
	}
	adv, err := f.f.GlyphAdvance(&f.buf, i, ppem, font.HintingNone)
	if err != nil {
		return nil, 0, fmt.Errorf("glyph %q: %w", r, err)
	}
	segs, err := f.f.LoadGlyph(&f.buf, i, ppem, nil)
	if err != nil {
		return nil, 0, fmt.Errorf("glyph %q: %w", r, err)
	}
	p := New()
	for _, s := range segs {
		a, b, c := toPt(s.Args[0]), toPt(s.Args[1]), toPt(s.Args[2])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.M(a.X, a.Y).Z()
		case sfnt.SegmentOpLineTo:
			p.L(a.X, a.Y)
		case sfnt.SegmentOpQuadTo:
			p.Q(a.X, a.Y, b.X, b.Y)
		case sfnt.SegmentOpCubeTo:
			p.C(a.X, a.Y, b.X, b.Y, c.X, c.Y)
		}
	}
	return p, float64(adv) / 64, nil
}

func toPt(p fixed.Point26_6) Pt { return Pt{float64(p.X) / 64, float64(p.Y) / 64} }
