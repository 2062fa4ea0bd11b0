package comic

import (
	"slices"

	"plait/internal/core"
)

// LongTexts are what a translator is asked to shorten: the translations that do not fit, each with what its region says. What is
// not a region's is left out.
func LongTexts(tooLong []OverflowText, regions []Region, translations []core.Translation) []LongText {
	said := core.TextsByRegion(translations)
	var texts []LongText
	for _, t := range tooLong {
		if t.Index >= 0 && t.Index < len(regions) {
			texts = append(texts, LongText{OverflowText: t, Source: regions[t.Index].Text, Translation: said[t.Index]})
		}
	}
	return texts
}

// Shorten is the translations with the shorter ones in their places, and the indices of those that were replaced. A shorter text
// that is empty, or of a region without a translation, replaces none.
func Shorten(translations, shorter []core.Translation) (all []core.Translation, replaced []int) {
	all = slices.Clone(translations)
	for _, s := range shorter {
		at := slices.IndexFunc(all, func(t core.Translation) bool { return t.Index == s.Index })
		if at >= 0 && s.Text != "" {
			all[at].Text = s.Text
			replaced = append(replaced, s.Index)
		}
	}
	return all, replaced
}
