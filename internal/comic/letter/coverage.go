package letter

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// listCoverage names the glyphs that a font's substitutions are for one by one where the font has them in ranges. The shaper
// (typesetting v0.3.5, its issue 278) tells at a glance glyphs that a substitution leaves alone, and takes in no more ranges once one of
// them, of 63 glyphs or more, fills a part of what it looks at. Without the others Arabic letters stay as they stand alone within a word
// (Noto Sans Arabic lists 228 that are made of a letter and its dots), and marks and small kana of columns as in lines (M PLUS).
//
// Positions keep their ranges, which are out of reach: some pairs of kana and rare marks of the Koran are not kerned.
func listCoverage(f *font.Font) {
	for _, lookup := range f.GSUB.Lookups {
		for i, s := range lookup.Subtables {
			switch s := s.(type) {
			case tables.SingleSubs:
				s.Data = listSingle(s.Data)
				lookup.Subtables[i] = s
			case tables.MultipleSubs:
				s.Coverage = listed(s.Coverage)
				lookup.Subtables[i] = s
			case tables.AlternateSubs:
				s.Coverage = listed(s.Coverage)
				lookup.Subtables[i] = s
			case tables.LigatureSubs:
				s.Coverage = listed(s.Coverage)
				lookup.Subtables[i] = s
			}
		}
	}
}

func listSingle(data tables.SingleSubstData) tables.SingleSubstData {
	switch data := data.(type) {
	case tables.SingleSubstData1:
		data.Coverage = listed(data.Coverage)
		return data
	case tables.SingleSubstData2:
		data.Coverage = listed(data.Coverage)
		return data
	}
	return data
}

// listed are the glyphs of c one by one. Ranges that are not in order, which the format forbids, are left to the shaper.
func listed(c tables.Coverage) tables.Coverage {
	ranges, ok := c.(tables.Coverage2)
	if !ok {
		return c
	}
	var out tables.Coverage1
	next := 0
	for _, r := range ranges.Ranges {
		if int(r.StartGlyphID) < next || r.EndGlyphID < r.StartGlyphID || int(r.StartCoverageIndex) != len(out.Glyphs) {
			return c
		}
		next = int(r.EndGlyphID) + 1
		for g := int(r.StartGlyphID); g < next; g++ {
			out.Glyphs = append(out.Glyphs, tables.GlyphID(g))
		}
	}
	return out
}
