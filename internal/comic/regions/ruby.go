package regions

import (
	"math"
	"strings"
	"unicode"

	"plait/internal/comic"
	"plait/internal/raster"
)

// Ruby is set at half the size of its base. Detected lines are grown by a share of their perimeter, which favors small ones.
const (
	// rubySize is the greatest size of ruby, in those of its base.
	rubySize = 0.7
	// The box of short ruby is grown by more of its size. Up to grownSize, characters of ruby that follow each other within
	// rubyPitch of the way that those of its base do tell it.
	grownSize, rubyPitch = 0.85, 0.62
	// Ruby too small to read is read as anything: up to misreadSize, a line of no more than mostMisread characters is ruby
	// whatever it says, and a doubtful longer one that is set as narrow as ruby.
	misreadSize, mostMisread = 0.6, 2
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
type ruby struct{ line, base raster.Quad }

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
	for i := range text {
		text[i].ruby = reachOfRuby(text[i], found)
	}
	return text, found
}

// reachOfRuby is how far furigana reaches beyond its base.
func reachOfRuby(base Line, all []ruby) float64 {
	f := newFrame(base.angle(), base.Vertical)
	_, across := f.extent(base.Quad)
	reach := 0.0
	for _, r := range all {
		if r.base != base.Quad {
			continue
		}
		_, small := f.extent(r.line)
		if base.Vertical {
			reach = max(reach, small.to-across.to)
		} else {
			reach = max(reach, across.from-small.from)
		}
	}
	return reach
}

// baseOf is the nearest line that line number i is the furigana of.
func baseOf(lines []Line, i int) (base Line, found bool) {
	small := lines[i]
	kana := isKanaLine(small)
	long := !kana && small.characters() > mostMisread
	if long && small.Prob >= sureProb || inParagraph(lines, i) {
		return Line{}, false
	}
	nearest := rubyGap
	for k, l := range lines {
		f := newFrame(l.angle(), l.Vertical)
		along, across := f.extent(l.Quad)
		smallAlong, smallAcross := f.extent(small.Quad)
		size, narrow := smallAcross.length()/l.size(), isNarrow(small, l, rubyPitch)
		if k == i || size > rubySize && !(size <= grownSize && narrow) || !kana && size > misreadSize || long && !narrow {
			continue
		}
		gap := (across.from - smallAcross.to) / l.size() // above the line
		if l.Vertical {
			gap = (smallAcross.from - across.to) / l.size() // to the right of the column
		}
		beside := smallAlong.overlap(along)
		if beside.length() >= rubyBeside*smallAlong.length() && gap >= -rubyOverlap && gap <= nearest && hasHan(l.between(along, beside)) {
			base, found, nearest = l, true, gap
		}
	}
	return base, found
}

// isNarrow reports whether the characters of a line follow each other within a share of the way that those of another do. Single
// ones do not tell.
func isNarrow(l, than Line, share float64) bool {
	pitch := func(l Line) float64 { return l.length() / float64(l.characters()) }
	return min(l.characters(), than.characters()) > 1 && pitch(l) <= share*pitch(than)
}

// inParagraph reports whether a line of its own size follows line number i, or comes before it.
func inParagraph(lines []Line, i int) bool {
	own := lines[i]
	f := newFrame(own.angle(), own.Vertical)
	along, across := f.extent(own.Quad)
	for k, l := range lines {
		small, large := min(own.size(), l.size()), max(own.size(), l.size())
		if k == i || l.Vertical != own.Vertical || large > siblingSize*small || isNarrow(own, l, 1/siblingSize) {
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

// isKanaLine reports whether a line is kana and marks, of which it has at least one kana. So small as furigana is, some is
// misread: of a line in doubt up to one letter in three may be another.
func isKanaLine(l Line) bool {
	kana, other := 0, 0
	for _, c := range l.Text {
		switch {
		case isKana(c):
			kana++
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			other++
		}
	}
	return kana > 0 && (other == 0 || l.Prob < sureProb && 3*other <= kana+other)
}

// between are the characters of a line that stand on a part of its extent, and their neighbors: characters of Japanese
// text are about as wide as each other.
func (l Line) between(all, part interval) string {
	characters := []rune(strings.ReplaceAll(l.Text, " ", ""))
	pitch := all.length() / float64(max(len(characters), 1))
	first, last := int((part.from-all.from)/pitch)-1, int(math.Ceil((part.to-all.from)/pitch))+1
	return string(characters[max(0, min(first, len(characters))):max(0, min(last, len(characters)))])
}

func hasHan(text string) bool { return strings.ContainsFunc(text, isHan) }

// attachRuby gives each region the furigana of its lines.
func attachRuby(regions []comic.Region, all []ruby) {
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
