package regions

import (
	"unicode"

	"plait/internal/pipeline"
)

// Ruby is set at half the size of its base. Detected lines are grown by a share of their perimeter, which favors small ones.
const (
	// rubySize is the greatest size of ruby, in those of its base.
	rubySize = 0.7
	// rubyGap is the widest blank between ruby and its base, and rubyOverlap the most that their lines overlap, in sizes of
	// the base.
	rubyGap, rubyOverlap = 0.35, 0.4
	// rubyBeside is the least share of ruby that lies beside its base.
	rubyBeside = 0.7
	// Lines of one paragraph: how much larger one is than the other at most, the widest blank between them in sizes of the
	// smaller, and the least share of the shorter that lies beside the longer. Furigana of neighboring lines is a whole line apart.
	siblingSize, siblingGap, siblingBeside = 1.4, 0.8, 0.5
)

// ruby is a line of furigana with the line whose reading it gives.
type ruby struct{ line, base pipeline.Quad }

// withoutRuby parts furigana from the other lines of a page in Japanese: small kana above a line with kanji, or to the right
// of such a column.
func withoutRuby(lines []Line, language string) (text []Line, found []ruby) {
	if language != "ja" {
		return lines, nil
	}
	for i, l := range lines {
		if base, isRuby := baseOf(lines, i); isRuby {
			found = append(found, ruby{l.Quad, base.Quad})
		} else {
			text = append(text, l)
		}
	}
	return text, found
}

// baseOf is the nearest line that line number i is the furigana of.
func baseOf(lines []Line, i int) (base Line, found bool) {
	small := lines[i]
	if !isKanaOnly(small.Text) || inParagraph(lines, i) {
		return Line{}, false
	}
	nearest := rubyGap
	for k, l := range lines {
		if k == i || !hasHan(l.Text) || small.size() > rubySize*l.size() {
			continue
		}
		f := newFrame(l.angle(), l.Vertical)
		along, across := f.extent(l.Quad)
		smallAlong, smallAcross := f.extent(small.Quad)
		gap := (across.from - smallAcross.to) / l.size() // above the line
		if l.Vertical {
			gap = (smallAcross.from - across.to) / l.size() // to the right of the column
		}
		if smallAlong.overlap(along).length() >= rubyBeside*smallAlong.length() && gap >= -rubyOverlap && gap <= nearest {
			base, found, nearest = l, true, gap
		}
	}
	return base, found
}

// inParagraph reports whether a line of its own size follows line number i, or comes before it.
func inParagraph(lines []Line, i int) bool {
	own := lines[i]
	f := newFrame(own.angle(), own.Vertical)
	along, across := f.extent(own.Quad)
	for k, l := range lines {
		small, large := min(own.size(), l.size()), max(own.size(), l.size())
		if k == i || l.Vertical != own.Vertical || large > siblingSize*small {
			continue
		}
		lineAlong, lineAcross := f.extent(l.Quad)
		gap := max(lineAcross.from-across.to, across.from-lineAcross.to)
		beside := along.overlap(lineAlong).length() >= siblingBeside*min(along.length(), lineAlong.length())
		if beside && gap >= -rubyOverlap*small && gap <= siblingGap*small {
			return true
		}
	}
	return false
}

// isKanaOnly reports whether a text is kana and marks alone, with at least one kana.
func isKanaOnly(text string) bool {
	kana := false
	for _, c := range text {
		switch {
		case isKana(c):
			kana = true
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			return false
		}
	}
	return kana
}

func hasHan(text string) bool {
	for _, c := range text {
		if isHan(c) {
			return true
		}
	}
	return false
}

// attachRuby gives each region the furigana of its lines.
func attachRuby(regions []pipeline.Region, all []ruby) {
	for i := range regions {
		for _, line := range regions[i].Lines {
			for _, r := range all {
				if r.base == line {
					regions[i].Ruby = append(regions[i].Ruby, r.line)
				}
			}
		}
	}
}
