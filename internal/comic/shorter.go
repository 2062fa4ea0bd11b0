package comic

import (
	"slices"

	"plait/internal/core"
)

// LongTexts are the translations that a translator is asked to shorten, each with the source text of its region. Texts with an index that
// no region has are left out.
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

// Shorten replaces translations by their shorter versions, and also returns the indices of those that it replaced. A shorter text is
// ignored if it is empty or its region has no translation.
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
