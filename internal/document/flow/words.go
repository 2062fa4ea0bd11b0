package flow

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plait/internal/document"
)

// word is a sequence of glyphs without a space, in the frame of its direction.
type word struct {
	// glyphs are positions in Page.Glyphs, in the order of the page.
	glyphs   []int
	box      document.Box
	baseline float64
	size     float64
	// sign is set for a sign that is taller than a line, with what belongs to it.
	sign bool
}

const (
	// wordGap is the largest gap within a word, in em: a quarter of an em is the usual space, and narrow ones have a sixth. Letter-spaced
	// words have gaps up to that.
	wordGap = 0.16
	// maxOverlap is how far a glyph may begin before the end of the one before it, in em: kerning and accents.
	maxOverlap = 0.5
	// maxRise is the largest distance of the baselines of a word and of its superscripts, in em, and largestMark the largest size of these,
	// relative to the line: browsers make them hardly smaller where the text is small.
	maxRise     = 0.6
	largestMark = 0.95
)

// words joins the visible glyphs of a direction to words.
func (b *builder) words(f document.Direction) (words []word) {
	open := false
	var marks []int
	for i, g := range b.page.Glyphs {
		if g.Hidden || g.Direction != f {
			continue
		}
		if isSpace(g.Text) {
			open = false
			continue
		}
		if g.Text == "" && g.Ink == (document.Box{}) { // its text belongs to another glyph, or it shows nothing
			if g.Advance == 0 {
				marks = append(marks, i)
			}
			continue
		}
		w := b.single(i, f)
		if n := len(words); open && n > 0 && words[n-1].takes(w) && !b.itemized(words[n-1], g) {
			words[n-1].join(w)
			continue
		}
		words = append(words, w)
		open = true
	}
	b.attach(marks, words, f)
	return b.signs(b.braces(words, f))
}

// itemized reports whether a letter stands right after the bullet of an item. It begins a word.
func (b *builder) itemized(w word, g document.Glyph) bool {
	return len(w.glyphs) == 1 && bullet.MatchString(b.word(w)) && strings.ContainsFunc(g.Text, unicode.IsLetter)
}

// attach adds glyphs without a text and a width, such as the dots of Arabic letters, to the words at which they stand.
func (b *builder) attach(marks []int, words []word, f document.Direction) {
	for _, i := range marks {
		x, y := f.In(b.page.Glyphs[i].Origin.X, b.page.Glyphs[i].Origin.Y)
		at := slices.IndexFunc(words, func(w word) bool {
			reach := maxOverlap * w.size
			return x > w.box.X0-reach && x < w.box.X1+reach && y > w.box.Y0-reach && y < w.box.Y1+reach
		})
		if at >= 0 {
			words[at].glyphs = append(words[at].glyphs, i)
		}
	}
}

// single is the word of one glyph.
func (b *builder) single(i int, f document.Direction) word {
	g := b.page.Glyphs[i]
	_, baseline := f.In(g.Origin.X, g.Origin.Y)
	w := word{glyphs: []int{i}, box: f.BoxIn(g.Box), baseline: baseline, size: g.Size}
	b.sign(&w, g, f)
	return w
}

// takes reports whether next continues the word.
func (w word) takes(next word) bool {
	em := max(w.size, next.size)
	gap := next.box.X0 - w.box.X1
	return w.sign == next.sign && math.Abs(next.baseline-w.baseline) < maxRise*em && gap < wordGap*em && gap > -maxOverlap*em && next.box.X1 > w.box.X0
}

// join adds the next glyphs. The baseline and the size are those of the largest glyphs.
func (w *word) join(next word) {
	w.glyphs = append(w.glyphs, next.glyphs...)
	if next.size > w.size*1.05 {
		w.baseline, w.size = next.baseline, next.size
	}
	w.box = union(w.box, next.box, false)
}

func isSpace(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && size == len(text) && unicode.IsSpace(r)
}

// line is a line of a column.
type line struct {
	words    []word
	box      document.Box
	baseline float64
	size     float64
}

// lines joins the words of a column to lines, from top to bottom and from left to right.
func linesOf(words []word) []line {
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, func(a, b word) int { return compare(b.size, a.size) }) // lines form around their largest words
	var lines []line
	for _, w := range sorted {
		if at := slices.IndexFunc(lines, func(l line) bool { return l.has(w) }); at >= 0 {
			lines[at].add(w)
			continue
		}
		lines = append(lines, line{words: []word{w}, box: w.box, baseline: w.baseline, size: w.size})
	}
	for i := range lines {
		slices.SortStableFunc(lines[i].words, func(a, b word) int { return compare(a.box.X0, b.box.X0) })
	}
	slices.SortStableFunc(lines, func(a, b line) int { return compare(b.baseline, a.baseline) })
	return lines
}

// has reports whether a word that is not larger stands on the line: on its baseline, or as a sub- or superscript.
func (l line) has(w word) bool {
	far := math.Abs(w.baseline - l.baseline)
	switch {
	case w.size > 0.85*l.size && far < 0.3*l.size:
		return true
	case w.size > largestMark*l.size, far > maxRise*l.size:
		return false
	}
	if far < 0.08*l.size { // small capitals
		return true
	}
	// A small word belongs to the line if it is next to one of its words.
	return slices.ContainsFunc(l.words, func(o word) bool {
		return w.box.X0-o.box.X1 < 0.5*l.size && o.box.X0-w.box.X1 < 0.5*l.size && min(w.box.Y1, o.box.Y1) > max(w.box.Y0, o.box.Y0)
	})
}

func (l *line) add(w word) {
	l.words = append(l.words, w)
	l.box = union(l.box, w.box, false)
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
