package scripts

import (
	"plait/internal/comic"
	"plait/internal/raster"
)

const (
	// leastLetters is the least number of letters of a legible line for each unit of length equal to its size: Latin text has two letters,
	// Chinese and Japanese text three quarters. The base recognizer reads lines in Hangul, Cyrillic, Hebrew and Arabic as spaces and
	// marks, or as a few similar letters, often with high confidence.
	leastLetters = 0.35
	// longLine is the least length, in sizes, of a line that is examined: a shorter one may consist of marks only.
	longLine = 2.5
)

// Foreign reports whether a page is in a script that none of its readings has: many of its lines have hardly any letters. The readings of
// the other lines are not reliable either then. Lines of another size are drawn effects, which cannot be read.
func (p Page) Foreign() bool {
	var sure, all []float64
	for i, r := range p.Readings {
		size := min(p.Quads[i].Sides())
		all = append(all, size)
		if r.Prob >= comic.SureReading && !p.blank(i) && comic.Letters(r.Text) >= 2 {
			sure = append(sure, size)
		}
	}
	usual, blank := raster.LowerMedian(sure), 0
	if len(sure) == 0 {
		usual = raster.LowerMedian(all)
	}
	for i := range p.Readings {
		if size := min(p.Quads[i].Sides()); p.blank(i) && size <= comic.SameSize*usual && usual <= comic.SameSize*size {
			blank++
		}
	}
	return 2*blank >= len(sure) && (blank >= 2 || blank == 1 && len(sure) == 0)
}

// blank reports whether a line was read with hardly any letters although it is long.
func (p Page) blank(i int) bool {
	size, length := min(p.Quads[i].Sides()), max(p.Quads[i].Sides())
	return size > 0 && length >= longLine*size && float64(comic.Letters(p.Readings[i].Text)) < leastLetters*length/size
}
