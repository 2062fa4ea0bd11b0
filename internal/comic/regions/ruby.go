package regions

import (
	"math"
	"strings"
	"unicode"

	"plait/internal/comic"
	"plait/internal/raster"
)

// Ruby is set at half the size of its base. Detected lines are grown by a share of their perimeter, which enlarges small ones more.
const (
	// rubySize is the greatest size of ruby, in sizes of its base.
	rubySize = 0.7
	// grownSize is the greatest size of short ruby, since its box is grown by more of its size. Such a line counts as ruby if the pitch of
	// its characters is at most rubyPitch times that of its base.
	grownSize, rubyPitch = 0.85, 0.62
	// misreadSize and mostMisread are for ruby too small to read, which is read as anything: up to this size, a line of at most
	// mostMisread characters is ruby whatever it says, and so is a longer doubtful one that is set as narrow as ruby.
	misreadSize, mostMisread = 0.6, 2
	// rubyGap is the widest gap between ruby and its base, and rubyOverlap the greatest overlap of their lines, in sizes of the base.
	rubyGap, rubyOverlap = 0.35, 0.4
	// rubyBeside is the least share of ruby that lies beside its base.
	rubyBeside = 0.7
	// Lines of one paragraph: the greatest ratio of their sizes, the widest gap between them in sizes of the
	// smaller, and the least share of the shorter that lies beside the longer. Furigana of neighboring lines is a whole line apart.
	siblingSize, siblingGap, siblingBeside = 1.4, 0.8, 0.5
)

// ruby is a line of furigana with the line whose reading it gives.
type ruby struct{ line, base raster.Quad }

// withoutRuby separates furigana from the other lines of a page in Japanese: small kana above a line with kanji, or to the right of such a
// column.
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

// baseOf finds the base of line number i: the nearest line of which it is the furigana.
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

// isNarrow reports whether the pitch of the characters of a line is at most share times that of another line. It is false for single
// characters, which have no pitch.
func isNarrow(l, than Line, share float64) bool {
	pitch := func(l Line) float64 { return l.length() / float64(l.characters()) }
	return min(l.characters(), than.characters()) > 1 && pitch(l) <= share*pitch(than)
}

// inParagraph reports whether a line of similar size follows or precedes line number i.
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

// isKanaLine reports whether a line consists of kana and marks, with at least one kana. Furigana is so small that some of it is misread:
// in a line read with doubt up to one letter in three may be another character.
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

// between returns the characters of a line over a part of its extent, with their neighbors. It assumes that characters of Japanese text
// have equal widths.
func (l Line) between(all, part interval) string {
	characters := []rune(strings.ReplaceAll(l.Text, " ", ""))
	pitch := all.length() / float64(max(len(characters), 1))
	first, last := int((part.from-all.from)/pitch)-1, int(math.Ceil((part.to-all.from)/pitch))+1
	return string(characters[max(0, min(first, len(characters))):max(0, min(last, len(characters)))])
}

func hasHan(text string) bool { return strings.ContainsFunc(text, isHan) }

// attachRuby adds to each region the furigana of its lines.
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
