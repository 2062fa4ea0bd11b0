package comic

import (
	"slices"
	"strings"

	"plait/internal/translate/emphasis"
)

// Tagged returns the text with tags around what stands on emphasized lines, for translators and scripts; see package emphasis.
func (r Region) Tagged() string {
	if len(r.Emphasized) == 0 || JoinTexts(r.Texts) != r.Text || emphasis.Has(r.Text) {
		return r.Text
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(r.Texts); {
		end, loud := i+1, slices.Contains(r.Emphasized, i)
		for end < len(r.Texts) && slices.Contains(r.Emphasized, end) == loud {
			end++
		}
		to := len(JoinTexts(r.Texts[:end]))
		part := r.Text[at:to]
		if loud {
			part = emphasis.Tagged(part)
		}
		b.WriteString(part)
		at, i = to, end
	}
	return b.String()
}
