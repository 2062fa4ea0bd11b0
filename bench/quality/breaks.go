package main

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/translate/script"
)

// lineEnds returns the numbers of letters before the ends of lines, but for that of the last, and the letters of all.
func lineEnds(lines []string) (ends map[int]bool, letters string) {
	ends = map[int]bool{}
	for _, line := range lines {
		if letters != "" {
			ends[utf8.RuneCountInString(letters)] = true
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			letters += script.Normalize(line)
		}
	}
	delete(ends, utf8.RuneCountInString(letters)) // the last line has marks only
	return ends, letters
}

// unbrokenLines is the height, in cap heights, above which a block that is known as one line has several: its breaks are not known.
const unbrokenLines = 2.5

// compareBreaks counts the breaks of the dialogue, those of the person who lettered the page in that language, and those that are in both,
// and compares the extents of both blocks.
func (p *letteredPage) compareBreaks(f *letterTally) {
	for _, set := range p.report.Regions {
		theirs := p.human[set.Index]
		var lines []string
		for _, b := range theirs {
			lines = append(lines, b.Lines...)
		}
		made, letters := lineEnds(set.Lines)
		human, same := lineEnds(lines)
		if !p.flat[set.Index] || letters == "" || letters != same {
			continue
		}
		whole := theirs[0].Box
		for _, b := range theirs[1:] {
			whole = box{min(whole[0], b.Box[0]), min(whole[1], b.Box[1]), max(whole[2], b.Box[2]), max(whole[3], b.Box[3])}
		}
		f.widths = append(f.widths, float64(set.Box.Dx())/(whole[2]-whole[0]))
		f.heights = append(f.heights, float64(set.Box.Dy())/(whole[3]-whole[1]))
		if len(lines) == 1 && whole[3]-whole[1] > unbrokenLines*set.Cap {
			continue
		}
		f.breaks, f.humanBreaks = f.breaks+len(made), f.humanBreaks+len(human)
		for at := range made {
			if human[at] {
				f.sameBreaks++
			}
		}
	}
}
