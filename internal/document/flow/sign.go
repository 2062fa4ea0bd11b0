package flow

import (
	"math"
	"slices"
	"strings"

	"plait/internal/document"
)

// Formulas have signs that are taller than a line: sums with limits, braces, and brackets around a column of numbers. Fonts draw them from
// pieces that hang below their origins, so neither their baselines nor their boxes tell the line to which they belong. What stands in such a
// sign or at it becomes one word, which is a part of a formula.

const (
	// axis is the height of the middle of a sign above the baseline, in em, and hang how far the middle of a glyph is from there if it is a
	// piece of a sign.
	axis = 0.25
	hang = 0.35
	// limitGap is the largest distance between a sign and its limits above and below it, in em, and limitWidth how far they may be wider.
	limitGap   = 0.75
	limitWidth = 1.2
	// tallSign is the least height of a bracket that encloses several lines, in em, and enclosed the largest distance to the other bracket.
	tallSign = 1.7
	enclosed = 25.0
	// larger is the least size of a word relative to its sub- and superscripts.
	larger = 1.2
	// maxSigns bounds the signs of a page: more are a picture.
	maxSigns = 400
)

// sign makes the word of a glyph a sign, if it is one.
func (b *builder) sign(w *word, g document.Glyph, f document.Direction) {
	ink := f.BoxIn(g.Ink)
	if ink.X1 <= ink.X0 || ink.Y1 <= ink.Y0 || !mathFont.MatchString(b.page.Fonts[g.Font].Name) {
		return
	}
	middle := (ink.Y0 + ink.Y1) / 2
	if math.Abs(middle-axis*g.Size-w.baseline) < hang*g.Size && ink.Y1-ink.Y0 < tallSign*g.Size {
		return
	}
	w.sign, w.box.Y0, w.box.Y1, w.baseline = true, ink.Y0, ink.Y1, middle-axis*g.Size
	w.box.X1 = max(w.box.X1, ink.X1)
}

// signs joins the pieces of signs, and what belongs to them.
func (b *builder) signs(words []word) []word {
	if n := countSigns(words); n == 0 || n > maxSigns {
		return words
	}
	words = joinAll(words, func(a, c word) bool { return a.sign && c.sign && stacked(a.box, c.box, a.size) })
	words = b.enclose(words)
	before := words
	words = joinAll(words, func(a, c word) bool {
		return a.sign && !c.sign && c.size < small*a.size && limits(a.box, c.box, a.size) && !isScript(before, a, c)
	})
	for _, w := range words {
		if w.sign {
			for _, i := range w.glyphs {
				b.solid[i] = true
			}
		}
	}
	return words
}

// isScript reports whether a small word is a sub- or superscript of another word than the sign: it stands right after it.
func isScript(words []word, sign, small word) bool {
	return slices.ContainsFunc(words, func(w word) bool {
		gap := small.box.X0 - w.box.X1
		return w.glyphs[0] != sign.glyphs[0] && w.glyphs[0] != small.glyphs[0] && w.size > larger*small.size && math.Abs(gap) < touch*w.size &&
			min(w.box.Y1, small.box.Y1) > max(w.box.Y0, small.box.Y0)
	})
}

func countSigns(words []word) (n int) {
	for _, w := range words {
		if w.sign {
			n++
		}
	}
	return n
}

// joinAll joins pairs of words until none is left. The first of a pair takes the second.
func joinAll(words []word, belongs func(a, c word) bool) []word {
	words = slices.Clone(words)
	for again := true; again; {
		again = false
		for i := 0; i < len(words); i++ {
			if !words[i].sign {
				continue
			}
			for j := 0; j < len(words); j++ {
				if j == i || !belongs(words[i], words[j]) {
					continue
				}
				words[i].absorb(words[j])
				words = slices.Delete(words, j, j+1)
				if j < i {
					i--
				}
				j--
				again = true
			}
		}
	}
	return words
}

// absorb adds a word to a sign, whose middle stays on the line.
func (w *word) absorb(other word) {
	w.glyphs = append(slices.Clone(w.glyphs), other.glyphs...)
	slices.Sort(w.glyphs)
	if other.sign {
		w.baseline = (min(w.box.Y0, other.box.Y0)+max(w.box.Y1, other.box.Y1))/2 - axis*w.size
	}
	w.box = union(w.box, other.box, false)
}

// stacked reports whether two pieces stand above each other.
func stacked(a, b document.Box, em float64) bool {
	common := min(a.X1, b.X1) - max(a.X0, b.X0)
	gap := max(a.Y0, b.Y0) - min(a.Y1, b.Y1)
	return common > 0.5*min(a.X1-a.X0, b.X1-b.X0) && gap < 0.3*em
}

// limits reports whether a box stands right above or below a sign.
func limits(sign, b document.Box, em float64) bool {
	middle := (b.X0 + b.X1) / 2
	if middle < sign.X0-limitWidth*em || middle > sign.X1+limitWidth*em {
		return false
	}
	return b.Y1 <= sign.Y0+0.2*em && sign.Y0-b.Y1 < limitGap*em || b.Y0 >= sign.Y1-0.2*em && b.Y0-sign.Y1 < limitGap*em
}

// The brackets, and the pieces of tall ones: those of Unicode, and those of the private use area that PDF readers know for fonts of TeX.
const (
	opening = "([{⟨⌈⌊⎛⎜⎝⎡⎢⎣⎧⎨⎩\uf8eb\uf8ec\uf8ed\uf8ee\uf8ef\uf8f0\uf8f1\uf8f2\uf8f3"
	closing = ")]}⟩⌉⌋⎞⎟⎠⎤⎥⎦⎫⎬⎭\uf8f6\uf8f7\uf8f8\uf8f9\uf8fa\uf8fb\uf8fc\uf8fd\uf8fe"
)

// enclose joins tall brackets with what stands between them.
func (b *builder) enclose(words []word) []word {
	var tall []int
	for i, w := range words {
		if w.sign && w.box.Y1-w.box.Y0 >= tallSign*w.size {
			tall = append(tall, i)
		}
	}
	slices.SortFunc(tall, func(a, c int) int { return compare(words[a].box.X0, words[c].box.X0) })
	gone := make([]bool, len(words))
	var open []int
	for _, i := range tall {
		switch text := b.page.Glyphs[words[i].glyphs[0]].Text; {
		case text == "":
		case strings.Contains(opening, text):
			open = append(open, i)
		case strings.Contains(closing, text):
			n := len(open) - 1
			for n >= 0 && !level(words[open[n]].box, words[i].box) {
				n--
			}
			if n >= 0 {
				between(words, gone, open[n], i)
				open = open[:n]
			}
		}
	}
	kept := words[:0]
	for i, w := range words {
		if !gone[i] {
			kept = append(kept, w)
		}
	}
	return kept
}

// between joins two brackets with what stands between them.
func between(words []word, gone []bool, left, right int) {
	w, last := words[left], words[right]
	if last.box.X0-w.box.X1 > enclosed*w.size {
		return
	}
	span := w.box
	for i, inner := range words {
		x, y := (inner.box.X0+inner.box.X1)/2, (inner.box.Y0+inner.box.Y1)/2
		if i == left || gone[i] || x < span.X0 || x > last.box.X1 || y < span.Y0 || y > span.Y1 {
			continue
		}
		w.absorb(inner)
		gone[i] = true
	}
	w.baseline = (span.Y0+span.Y1)/2 - axis*w.size
	words[left] = w
}

// level reports whether two brackets are a pair: they stand at the same height.
func level(a, b document.Box) bool {
	common := min(a.Y1, b.Y1) - max(a.Y0, b.Y0)
	return common > 0.8*max(a.Y1-a.Y0, b.Y1-b.Y0)
}
