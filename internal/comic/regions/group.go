package regions

import (
	"image"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"plait/internal/comic/order"
	"plait/internal/pipeline"
)

const (
	// leastProb is the confidence below which a line is noise: 0.5 to 0.8 keep all lettering, 0.9 loses some.
	leastProb = 0.6
	// sureProb is the confidence from which a single letter is text.
	sureProb = 0.9
	// levelAngle is the rotation in degrees up to which lines are level: less is the detector's noise.
	levelAngle = 2
	// The rest of the region record, as the field's projects fill it.
	lineSpacing     = 1
	strokeWidth     = 0.2
	strokeColorType = "bg"
)

// Group joins the lines of a page into regions, in reading order. The language is that of the texts, canonical; it
// decides the reading direction of the page. The lines of the result lie in their own reading order.
func Group(img *image.NRGBA, all []Line, language string) []pipeline.Region {
	lines := slices.DeleteFunc(slices.Clone(all), func(l Line) bool {
		return l.Text == "" || l.Prob < leastProb || l.size() < 1
	})
	lines, furigana := withoutRuby(lines, language)
	palettes := make([]palette, len(lines))
	for i, l := range lines {
		palettes[i] = measure(img, []Line{l})
	}
	var found []pipeline.Region
	for _, members := range join(img, lines, palettes) {
		group := make([]Line, len(members))
		for i, m := range members {
			group[i] = lines[m]
		}
		for _, part := range conjoined(img, inReadingOrder(group)) {
			if r := build(img, part, language); isSaid(r) {
				found = append(found, r)
			}
		}
	}
	attachRuby(found, furigana)
	size := dialogueSize(found)
	found = append(found, guesses(img, all, found, size, language)...)
	markEffects(found, size)
	markFurniture(found, img.Rect.Dy(), size)
	return order.Sort(img, found, language)
}

// guesses are regions of the large free lettering that was found but not read: drawn effects. A page without regions has
// no size to compare with, and none.
func guesses(img *image.NRGBA, all []Line, found []pipeline.Region, size float64, language string) []pipeline.Region {
	var unread []pipeline.Region
	for _, l := range all {
		if size == 0 || !isGuess(l, size) || slices.ContainsFunc(found, func(r pipeline.Region) bool { return covers(r, l) }) {
			continue
		}
		if r := build(img, []Line{l}, language); r.Kind == pipeline.KindFree {
			unread = append(unread, r)
		}
	}
	return unread
}

// covers reports whether the middle of a line lies in a region.
func covers(r pipeline.Region, l Line) bool {
	x0, y0, x1, y1 := r.Bounds()
	a0, b0, a1, b1 := l.Quad.Bounds()
	x, y := (a0+a1)/2, (b0+b1)/2
	return x0 <= x && x <= x1 && y0 <= y && y <= y1
}

// isSaid reports whether a region is text and not art taken for it: it holds a letter or a digit, and not just one
// that was read with doubt, save that of Chinese and Japanese one character is a word.
func isSaid(r pipeline.Region) bool {
	words, least := 0, 2
	for _, c := range r.Text {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			words++
			if unspaced(c) {
				least = 1
			}
		}
	}
	return words >= least || words == 1 && r.Prob >= sureProb
}

// build makes one region of lines that belong together.
func build(img *image.NRGBA, lines []Line, language string) pipeline.Region {
	vertical := mostlyVertical(lines)
	angle := meanAngle(lines, vertical)
	f := newFrame(angle, vertical)
	lines = readingOrder(lines, f)
	r := pipeline.Region{
		Direction: pipeline.Horizontal, Alignment: alignment(lines, f), SourceLang: language,
		LineSpacing: lineSpacing, StrokeWidth: strokeWidth, StrokeColorType: strokeColorType, AdjustBGColor: true,
		FontSize: math.Inf(1),
	}
	if vertical {
		r.Direction = pipeline.Vertical
	}
	if degrees := angle * 180 / math.Pi; math.Abs(degrees) > levelAngle {
		r.Angle = degrees
	}
	characters := 0
	for _, l := range lines {
		n := utf8.RuneCountInString(l.Text)
		characters += n
		r.Prob += l.Prob * float64(n)
		r.FontSize = min(r.FontSize, l.size())
		r.Lines = append(r.Lines, l.Quad)
		r.Texts = append(r.Texts, l.Text)
	}
	r.Prob /= float64(characters)
	r.Text = joinTexts(r.Texts)
	colors := measure(img, lines)
	r.FG, r.BG = colors.glyphs, colors.around
	r.Kind = kindOf(img, r)
	return r
}

// inReadingOrder sorts the lines of a group in its own frame.
func inReadingOrder(lines []Line) []Line {
	vertical := mostlyVertical(lines)
	return readingOrder(lines, newFrame(meanAngle(lines, vertical), vertical))
}

func mostlyVertical(lines []Line) bool {
	balance := 0
	for _, l := range lines {
		if n := utf8.RuneCountInString(l.Text); l.Vertical {
			balance += n
		} else {
			balance -= n
		}
	}
	return balance > 0
}

// meanAngle is the angle of the lines of the main direction, each weighing as its length.
func meanAngle(lines []Line, vertical bool) float64 {
	var sum, weight float64
	for _, l := range lines {
		if l.Vertical == vertical {
			sum += l.angle() * l.length()
			weight += l.length()
		}
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// placed is a line with its place in the frame of its region.
type placed struct {
	line          Line
	along, across interval
}

// readingOrder sorts lines from the first to the last: rows from top to bottom and their pieces from left to right;
// columns from right to left and their pieces from top to bottom.
func readingOrder(lines []Line, f frame) []Line {
	all := make([]placed, len(lines))
	for i, l := range lines {
		all[i].line = l
		all[i].along, all[i].across = f.extent(l.Quad)
		if f.vertical { // columns follow each other against the axis
			all[i].across = interval{-all[i].across.to, -all[i].across.from}
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return compare(a.across.from+a.across.to, b.across.from+b.across.to) })
	sorted := make([]Line, 0, len(lines))
	for len(all) > 0 {
		n := rowLength(all)
		slices.SortStableFunc(all[:n], func(a, b placed) int { return compare(a.along.from, b.along.from) })
		for _, p := range all[:n] {
			sorted = append(sorted, p.line)
		}
		all = all[n:]
	}
	return sorted
}

// rowLength is how many of the lines, sorted across, share the row of the first: each lies mostly beside it across, and
// not beside any of them along.
func rowLength(all []placed) int {
	n := 1
	for n < len(all) {
		p := all[n]
		if p.across.overlap(all[0].across).length() < 0.5*min(p.across.length(), all[0].across.length()) ||
			slices.ContainsFunc(all[:n], func(q placed) bool {
				return q.along.overlap(p.along).length() > 0.3*min(q.along.length(), p.along.length())
			}) {
			break
		}
		n++
	}
	return n
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// spread is the mean and the standard deviation.
func spread(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}

// alignment is which of the beginnings, the middles and the ends of the lines scatter least; centered when that tells
// nothing. For columns, left is the top.
func alignment(lines []Line, f frame) pipeline.Alignment {
	if len(lines) < 2 {
		return pipeline.AlignCenter
	}
	var starts, middles, ends []float64
	for _, l := range lines {
		along, _ := f.extent(l.Quad)
		starts = append(starts, along.from)
		middles = append(middles, (along.from+along.to)/2)
		ends = append(ends, along.to)
	}
	_, start := spread(starts)
	_, middle := spread(middles)
	_, end := spread(ends)
	switch {
	case middle <= start && middle <= end:
		return pipeline.AlignCenter
	case start <= end:
		return pipeline.AlignLeft
	default:
		return pipeline.AlignRight
	}
}
