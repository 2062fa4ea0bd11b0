package flow

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// minSeparate is the least number of lines that may be texts of their own, and separateShare the largest share of their area that the longest
	// of them takes if they are as long as each other.
	minSeparate   = 3
	separateShare = 0.6
)

// separate divides lines that are no sentence, such as those of an address or a list of names: each begins with a capital or a digit, although
// its first word would have fitted on the line before it, and many are short.
func (p *plane) separate(lines []line, column leaf) [][]line {
	whole := [][]line{lines}
	if len(lines) < minSeparate || column.cell {
		return whole
	}
	box, room := boxOfLines(lines), column.area.X1-column.area.X0
	brief := 0
	var list [][]line
	for i, l := range lines {
		list = append(list, lines[i:i+1:i+1])
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(p.word(l.words[0]), "(\"'“„«"))
		if !unicode.IsUpper(first) && !unicode.IsDigit(first) {
			return whole
		}
		if i == len(lines)-1 {
			break
		}
		next := lines[i+1].words[0]
		if room-(l.box.X1-l.box.X0) < next.box.X1-next.box.X0+0.6*l.size {
			return whole
		}
		if box.X1-box.X0-(l.box.X1-l.box.X0) > short*l.size {
			brief++
		}
	}
	if 2*brief < len(lines)-1 && box.X1-box.X0 > separateShare*room {
		return whole
	}
	return list
}
