package fontfile

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// listCoverage replaces the coverage ranges of a font's substitutions with lists of single glyphs. It works around a bug of the shaper
// (typesetting v0.3.5, its issue 278). The shaper has a quick test for glyphs that a substitution does not affect; the test ignores all
// further ranges once a range of 63 glyphs or more fills a part of it. Then Arabic letters keep their isolated form inside a word (Noto
// Sans Arabic has 228 letters composed of a base and dots), and marks and small kana in columns keep their horizontal form (M PLUS).
//
// The coverage of positioning tables cannot be changed: some pairs of kana and rare Quranic marks are not kerned.
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

// listed returns the coverage as a list of glyphs. It leaves a coverage with unsorted ranges, which the format forbids, to the shaper.
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
