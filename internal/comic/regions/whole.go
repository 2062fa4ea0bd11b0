package regions

import (
	"slices"

	"plait/internal/comic"
)

// Whole makes one region of all lines of p, which a person says are one text. Lines that were read with too little certainty are left out,
// unless no other line is left: then the region is unread. p has at least one line.
func Whole(p Page) comic.Region {
	b := builder{img: p.Image, language: p.Language}
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool { return l.Text == "" || l.Prob < leastProb })
	if len(lines) == 0 {
		lines = slices.Clone(p.Lines)
		for i := range lines {
			lines[i].Unread = true
		}
	}
	return b.build(withoutRuby(lines, p.Language))
}
