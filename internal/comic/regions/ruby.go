package regions

import (
	"slices"
	"strings"
	"unicode/utf8"

	"plait/internal/comic"
)

// Ruby is set at half the size of its base. Lengths are in sizes of the base. Detected lines are grown beyond their glyphs, small ones by
// more of their size.
const (
	// rubySize is the greatest pitch of the characters of ruby, in that of its base. shortRuby is the number of characters up to which a line
	// has no pitch to go by, and is ruby if it is at most rubySize as large as its base. Ruby of that size may be read as anything.
	rubySize, shortRuby = 0.7, 2
	// rubyGap is the widest gap between ruby and its base.
	rubyGap = 0.15
)

// withoutRuby removes furigana from the lines of a page in Japanese, and keeps it with the lines whose reading it gives: it is above a line
// with kanji, or to the right of such a column, and set narrower.
func withoutRuby(lines []Line, language string) (text []Line) {
	if language != "ja" {
		return lines
	}
	lines = slices.Clone(lines)
	isRuby := make([]bool, len(lines))
	for i := range lines {
		if base := baseOf(lines, i); base >= 0 {
			isRuby[i], lines[base].ruby = true, append(lines[base].ruby, lines[i].Quad)
		}
	}
	for i, l := range lines {
		if !isRuby[i] {
			text = append(text, l)
		}
	}
	return text
}

// baseOf is the nearest line of which line number i is the furigana, or -1.
func baseOf(lines []Line, i int) (base int) {
	base, nearest := -1, rubyGap
	for k, l := range lines {
		if k == i || !strings.ContainsFunc(l.Text, isHan) || !lines[i].isReading(l) {
			continue
		}
		f := newFrame(l.angle(), l.Vertical)
		along, across := f.extent(l.Quad)
		smallAlong, smallAcross := f.extent(lines[i].Quad)
		gap := (across.from - smallAcross.to) / l.size() // above the line
		if l.Vertical {
			gap = (smallAcross.from - across.to) / l.size() // to the right of the column
		}
		mostly := 2*smallAlong.overlap(along).length() >= smallAlong.length()
		if mostly && gap > -1 && gap <= nearest { // at -1 it covers its base
			base, nearest = k, gap
		}
	}
	return base
}

// isReading reports whether a line is set as the furigana of another one is. Furigana is so small that some of it is misread, but it has
// no punctuation.
func (l Line) isReading(base Line) bool {
	letters := comic.Letters(l.Text)
	if letters > 0 && utf8.RuneCountInString(l.Text) <= shortRuby && min(l.size(), l.length()) <= rubySize*base.size() {
		return true
	}
	pitch := base.length() / float64(base.characters())
	return letters > 1 && l.Vertical == base.Vertical && l.length() <= rubySize*pitch*float64(letters)
}
