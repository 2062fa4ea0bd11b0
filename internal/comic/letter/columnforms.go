package letter

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// vert is the feature that puts glyphs into their forms for columns (OpenType feature "vert").
var vert = opentype.MustNewTag("vert")

// verticalForm is the form of a glyph for columns, or the glyph itself where the font has no other. The shaper applies the
// feature too, but skips glyphs of fonts that cover it in long ranges, such as the marks and small kana of M PLUS: once a range
// fills one of the masks by which it tells glyphs that a lookup leaves alone, it takes in no others.
func verticalForm(f *font.Face, g font.GID) font.GID {
	for _, feature := range f.GSUB.Features {
		if feature.Tag != vert {
			continue
		}
		for _, i := range feature.LookupListIndices {
			if int(i) >= len(f.GSUB.Lookups) {
				continue
			}
			for _, s := range f.GSUB.Lookups[i].Subtables {
				if single, ok := s.(tables.SingleSubs); ok {
					if to, ok := substituted(single, g); ok {
						return to
					}
				}
			}
		}
	}
	return g
}

// substituted is what a single substitution makes of a glyph that it covers.
func substituted(s tables.SingleSubs, g font.GID) (font.GID, bool) {
	at, ok := s.Cov().Index(tables.GlyphID(g))
	if !ok {
		return g, false
	}
	switch data := s.Data.(type) {
	case tables.SingleSubstData1:
		return font.GID(uint16(int(g) + int(data.DeltaGlyphID))), true
	case tables.SingleSubstData2:
		if at < len(data.SubstituteGlyphIDs) {
			return font.GID(data.SubstituteGlyphIDs[at]), true
		}
	}
	return g, false
}

// isEllipsis reports whether r is dots in the middle of a line. In a column they stand on end; some fonts have them level there
// too.
func isEllipsis(r rune) bool { return r == '…' || r == '‥' }
