package glossary

import (
	"slices"

	"plait/internal/core"
)

// Mark are the translations with the terms of the entries that stand in them, which lettering keeps whole.
func Mark(entries []Entry, translations []core.Translation) []core.Translation {
	if len(entries) == 0 {
		return translations
	}
	marked := slices.Clone(translations)
	for i := range marked {
		t := &marked[i]
		t.Terms = nil
		for _, e := range entries {
			if contains(t.Text, e.Wanted(), e.Case) {
				t.Terms = append(t.Terms, e.Wanted())
			}
		}
	}
	return marked
}
