package flow

import (
	"regexp"
	"slices"
	"strings"

	"plait/internal/document"
)

// column adds the paragraphs of a column.
func (p *plane) column(column leaf) { p.lines(column, p.paragraph) }

// lines divides the lines of a column into paragraphs. Each has a part of the column, and an area for itself.
func (p *plane) lines(column leaf, add func(lines []line, column, area document.Box)) {
	var whole, listing []line
	flush := func() {
		if len(listing) > 0 {
			p.listing(listing)
			listing = nil
		}
		own := boxOf(column.words)
		for _, paragraph := range p.paragraphs(whole, own, column.cell) {
			for _, part := range p.separate(paragraph, own, column) {
				add(part.lines, part.column, part.area)
			}
		}
		whole = nil
	}
	lines := linesOf(column.words)
	p.widen(lines)
	code := p.code(lines)
	if column.cell {
		clear(code)
	}
	for i, l := range lines {
		if i > 0 && code[i] != code[i-1] {
			flush()
		}
		if code[i] {
			listing = append(listing, l)
			continue
		}
		parts := l.parts()
		if len(parts) == 1 {
			whole = append(whole, l)
			continue
		}
		flush()
		for i, part := range parts {
			area := part.box
			if area.X1 = column.area.X1; i < len(parts)-1 {
				area.X1 = max(part.box.X1, parts[i+1].box.X0-part.size)
			}
			add([]line{part}, part.box, area)
		}
	}
	flush()
}

// partGap is the least gap between two parts of a line that are texts of their own, in em. Justified lines have gaps of one em, and tabs after
// list markers of two.
const partGap = 3.0

// parts divides a line at its wide gaps.
func (l line) parts() (parts []line) {
	for i, w := range l.words {
		if i == 0 || w.box.X0-l.words[i-1].box.X1 > partGap*l.size {
			parts = append(parts, line{box: w.box, baseline: l.baseline, size: l.size})
		}
		part := &parts[len(parts)-1]
		part.words = append(part.words, w)
		part.box = union(part.box, w.box, false)
	}
	return parts
}

// style is what a reader sees of a line: lines of one paragraph agree in it.
type style struct {
	size  float64
	bold  bool
	class document.Class
}

func (p *plane) styleOf(l line) style {
	bold, total := 0, 0
	for _, w := range l.words {
		for _, i := range w.glyphs {
			total++
			if p.page.Fonts[p.page.Glyphs[i].Font].Bold {
				bold++
			}
		}
	}
	return style{size: l.size, bold: total > 0 && bold*10 >= total*8, class: p.classOf(l.box)}
}

// classOf is the class of the region that covers most of a box; text without any.
func (p *plane) classOf(b document.Box) document.Class {
	best, class := 0.5*area(b), document.ClassText
	for _, r := range p.regions {
		if r.Class == document.ClassTable || r.Class == document.ClassFigure {
			continue // tables are taken out before, and a figure may hold text of any sort
		}
		if common := overlap(r.Box, b); common > best {
			best, class = common, r.Class
		}
	}
	return class
}

const (
	// sizeRatio is the ratio of sizes above which two lines belong to different paragraphs.
	sizeRatio = 1.12
	// leadingRatio is the ratio to the usual distance of lines above which a gap divides paragraphs.
	leadingRatio = 1.3
	// loneLeading is the distance of two lines, in em, where a column has no others.
	loneLeading = 1.2
	// looseLeading is the distance of baselines, in em, above which bold lines are headings of their own.
	looseLeading = 1.6
	// indent is the least indent of the first line of a paragraph, in em, and short how far a line ends before the column to be the last of a
	// paragraph.
	indent = document.Indented
	short  = 2.5
	// outdent is how far a line begins left of the others, in em, to be no part of their paragraph: first lines are indented less.
	outdent = 4.0
)

// paragraphs divides the lines of a column, or of a cell.
func (p *plane) paragraphs(lines []line, column document.Box, cell bool) (list [][]line) {
	if len(lines) == 0 {
		return nil
	}
	least := 2
	if cell {
		least = 1
	}
	leading := usualLeading(lines, least)
	styles := make([]style, len(lines))
	for i, l := range lines {
		styles[i] = p.styleOf(l)
	}
	seen := lines
	if p.readsLeftward(lines) {
		seen = turned(lines, column)
	}
	first := 0
	for i, l := range seen {
		if i > 0 && p.starts(seen[i-1], l, styles[i-1], styles[i], leading, column, seen[first:i]) {
			list, first = append(list, lines[first:i]), i
		}
	}
	return append(list, lines[first:])
}

// usualLeading is the median distance of the baselines, of lines of one size, where there are at least so many distances.
func usualLeading(lines []line, least int) float64 {
	var distances []float64
	for i := 1; i < len(lines); i++ {
		if near(lines[i].size, lines[i-1].size, 0.1*lines[i].size) {
			distances = append(distances, lines[i-1].baseline-lines[i].baseline)
		}
	}
	if len(distances) < least {
		return loneLeading * sizeOfLines(lines)
	}
	slices.Sort(distances)
	return distances[len(distances)/3] // most gaps are between lines, and the wide ones between paragraphs
}

func sizeOfLines(lines []line) float64 {
	sizes := make([]float64, len(lines))
	for i, l := range lines {
		sizes[i] = l.size
	}
	return median(sizes)
}

// marker matches the beginning of an item of a list: a bullet, a number, or a letter.
var marker = regexp.MustCompile(`^([•▪■●○◦‣⁃*–—-]|\(?([0-9]{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[[0-9A-Za-z]{1,6}\]|§+)$`)

// clause matches the number of a clause within another one, which begins nothing but a clause: one without a dot at its end may be a decimal.
var clause = regexp.MustCompile(`^\(?[0-9]{1,3}(\.[0-9]{1,3}){1,5}[.)]$`)

// bullet matches what begins nothing but an item, however far it is indented.
var bullet = regexp.MustCompile(`^[•▪■●○◦‣⁃]$`)

// starts reports whether a line starts a paragraph after the line before it.
func (p *plane) starts(before, l line, was, is style, leading float64, column document.Box, current []line) bool {
	em := l.size
	gap := before.baseline - l.baseline
	switch {
	case was.size > is.size*sizeRatio || is.size > was.size*sizeRatio:
		return true
	case was.bold != is.bold && p.isBold(before.words[len(before.words)-1]) != p.isBold(l.words[0]):
		return true // a heading; one that runs into its text changes within a line
	case gap > leadingRatio*leading && gap > 1.25*em, gap > looseLeading*em && leading > looseLeading*em && was.bold:
		return true
	case was.class != is.class && (was.class == document.ClassTitle || is.class == document.ClassTitle || was.class == document.ClassFormula || is.class == document.ClassFormula):
		return true
	case (bullet.MatchString(p.word(l.words[0])) || clause.MatchString(p.word(l.words[0]))) && len(l.words) > 1:
		return true
	case marker.MatchString(p.word(l.words[0])) && len(l.words) > 1 &&
		(l.words[0].box.X0 <= before.words[0].box.X0+0.3*em || p.nested(current[0], l)):
		return true
	}
	if _, led := p.leaderOf(before); led || p.ticked(l) || p.fieldBetween(before, l) || p.interrupted(before, l) {
		return true
	}
	if centered(before, column) && centered(l, column) || p.flushRight(before) && p.flushRight(l) {
		return false
	}
	return p.startsByShape(before, l, column, current)
}

// tickGap is the largest gap between a box to tick and the line beside it, in em.
const tickGap = 1.5

// ticked reports whether a line stands beside a small field or drawing, such as a box to tick or the bullet of a list.
func (p *plane) ticked(l line) bool {
	beside := func(f document.Box) bool {
		b := p.frame.BoxIn(f)
		gap, middle := l.box.X0-b.X1, l.baseline+0.3*l.size
		return gap > -0.2*l.size && gap < tickGap*l.size && b.Y0 < middle && b.Y1 > middle && max(b.X1-b.X0, b.Y1-b.Y0) < 2*l.size
	}
	return slices.ContainsFunc(p.page.Fixed, beside) || slices.ContainsFunc(p.page.Notes, beside)
}

// fieldBetween reports whether a field of a form stands between two lines: they are what is beside or above fields.
func (p *plane) fieldBetween(before, l line) bool {
	return slices.ContainsFunc(p.page.Notes, func(n document.Box) bool {
		b := p.frame.BoxIn(n)
		middle := (b.Y0 + b.Y1) / 2
		return middle < before.baseline && middle > l.baseline+0.7*l.size && b.X0 < max(before.box.X1, l.box.X1) && b.X1 > min(before.box.X0, l.box.X0)
	})
}

// nested reports whether a line that begins with a marker is indented more than the text of an item, as the items within that are.
func (p *plane) nested(item, l line) bool {
	return len(item.words) > 1 && marker.MatchString(p.word(item.words[0])) && l.words[0].box.X0 > item.words[1].box.X0+0.5*l.size
}

// isBold reports whether a word is bold.
func (p *plane) isBold(w word) bool {
	return p.page.Fonts[p.page.Glyphs[w.glyphs[len(w.glyphs)-1]].Font].Bold
}

// startsByShape looks at indents and short lines.
func (p *plane) startsByShape(before, l line, column document.Box, current []line) bool {
	em := l.size
	left := current[0].box.X0
	for _, c := range current[1:] {
		left = min(left, c.box.X0)
	}
	switch {
	case len(current) == 1 && l.box.X0 > current[0].box.X0+indent*em && !marker.MatchString(p.word(current[0].words[0])):
		return !p.full(before, column, em) // no hanging indent, but the start of a paragraph after a single line
	case len(current) > 1 && l.box.X0 > left+indent*em && l.box.X0 > before.box.X0+indent*em, l.box.X0 < left-outdent*em:
		return true
	case p.full(before, column, em):
		return false
	}
	// The line before is short. It ends a paragraph unless the first word of this line would not have fitted on it.
	return column.X1-before.box.X1 > l.words[0].box.X1-l.words[0].box.X0+0.6*em && document.EndsSentence(p.word(before.words[len(before.words)-1]))
}

// full reports whether a line runs to the end of its column.
func (p *plane) full(l line, column document.Box, em float64) bool {
	return column.X1-l.box.X1 < short*em
}

// centered reports whether a line stands in the middle of its column, with space on both sides.
func centered(l line, column document.Box) bool {
	left, right := l.box.X0-column.X0, column.X1-l.box.X1
	return near(left, right, 0.6*l.size) && left > l.size
}

// word is the text of a word.
func (b *builder) word(w word) string {
	text := ""
	for _, i := range w.glyphs {
		text += b.page.Glyphs[i].Text
	}
	return text
}

// paragraph adds a paragraph as a block, in a column that has an area for itself.
func (p *plane) paragraph(lines []line, column, area document.Box) {
	block := p.block(lines)
	block.Class = p.classOf(boxOfLines(lines))
	if block.Untranslated == "" && !hasWord(block) {
		block.Untranslated = document.ReasonNoText
	}
	switch {
	case block.Class == document.ClassFormula && block.Untranslated == "":
		block.Class = document.ClassText
	case block.Class == document.ClassText && p.isHeading(block, lines):
		block.Class = document.ClassTitle
	}
	box := boxOfLines(lines)
	p.shape(&block, lines, column, area)
	if len(lines) == 1 && block.Align == document.AlignStart && !block.RightToLeft && p.flushRight(lines[0]) {
		block.Align, area.X0 = document.AlignEnd, min(area.X0, p.left)
	}
	block.Leader, _ = p.leaderOf(lines[len(lines)-1])
	limit := area
	if area.X1 >= p.edge {
		limit.X1 = p.right
	}
	limit.Y0 = min(limit.Y0, max(box.Y0-max(overhang*(box.Y1-box.Y0), 1.5*block.Size), p.bottom))
	p.emit(block, box, limit)
}

// minEdge is the least number of texts that end at one edge.
const minEdge = 3

// flushRight reports whether a line stands at the right edge of others, as a running head does: it begins in the right half of the text, where
// nothing else begins, and ends where several texts of the page end.
func (p *plane) flushRight(l line) bool {
	begin, end := 0, 0
	for _, c := range p.chunks {
		if near(c.X0, l.box.X0, edgeAlign*l.size) {
			begin++
		}
		if near(c.X1, l.box.X1, edgeAlign*l.size) {
			end++
		}
	}
	return l.box.X0 > (p.left+l.box.X1)/2 && begin <= 1 && end >= minEdge
}

// overhang is how far below its column a text may go where nothing else stands, relative to its height; it is one line at least.
const overhang = 0.5

var (
	// twoLetters is what a text needs to be worth a translation: two letters in a row, or one of a script without spaces. Single letters name the
	// points of figures and the items of lists.
	twoLetters = regexp.MustCompile(`\p{L}\p{M}*\p{L}|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]`)

	formulaMarker = regexp.MustCompile(`\{v\d+\}`)
)

// hasWord reports whether a text has a word. An index is no letter of the variable beside it.
func hasWord(b document.Block) bool {
	var text strings.Builder
	for i, s := range b.Spans {
		if i > 0 && s.Rise != b.Spans[i-1].Rise {
			text.WriteByte(' ')
		}
		text.WriteString(b.Text[s.Start:s.End])
	}
	return twoLetters.MatchString(formulaMarker.ReplaceAllString(text.String(), " "))
}

const (
	// maxHeading is the largest number of lines of a heading, and largerHeading the size of one that is not bold, relative to the text of the
	// page.
	maxHeading    = 3
	largerHeading = 1.15
)

// isHeading reports whether a paragraph looks like a heading: it is short, and bold or larger than the text of the page.
func (p *plane) isHeading(block document.Block, lines []line) bool {
	if len(lines) > maxHeading || block.Untranslated != "" || len(block.Text) > 200 {
		return false
	}
	for _, l := range lines {
		if !p.styleOf(l).bold && block.Size < largerHeading*p.body {
			return false
		}
	}
	return true
}

func boxOfLines(lines []line) (box document.Box) {
	for i, l := range lines {
		box = union(box, l.box, i == 0)
	}
	return box
}
