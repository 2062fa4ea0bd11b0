package flow

import (
	"slices"
	"strconv"
	"strings"

	"plait/internal/document"
)

const (
	// minNumbers is the least number of numbers in a margin, and maxDigits their largest length.
	minNumbers = 5
	maxDigits  = 4
	// numberAlign is how far the edges of the numbers of a margin differ, in em.
	numberAlign = 0.3
	// numbered is the least share of the numbers that follow the one above them, and unnumbered the largest number of lines for each line that
	// they count: chapters have numbers too.
	numbered   = 0.8
	unnumbered = 1.5
)

// lineNumbers takes the numbers of lines in the left margin out of the words, as transcripts and manuscripts have them: they stay as they are,
// and are no part of the lines. They begin their lines, stand below each other, and count up.
func (p *plane) lineNumbers(words []word) (rest []word) {
	column := p.numberColumn(words)
	if !countsUp(column) || !countsLines(column, words) {
		return words
	}
	taken := map[int]bool{}
	for _, n := range column {
		w := words[n.at]
		block := p.block([]line{{words: []word{w}, box: w.box, baseline: w.baseline, size: w.size}})
		block.Untranslated = document.ReasonNoText
		p.kept = append(p.kept, ordered{block: block, limit: p.frame.BoxOut(w.box)})
		taken[n.at] = true
	}
	for i, w := range words {
		if !taken[i] {
			rest = append(rest, w)
		}
	}
	return rest
}

// number is a word of digits, by its position among the words, with its value.
type number struct{ at, value int }

// numberColumn returns the largest group of numbers that begin their lines and stand below each other, from top to bottom.
func (p *plane) numberColumn(words []word) (best []number) {
	var numbers []number
	for i, w := range words {
		if value, ok := p.numberOf(w); ok && !slices.ContainsFunc(words, func(o word) bool { return leftOf(o, w) }) {
			numbers = append(numbers, number{i, value})
		}
	}
	slices.SortStableFunc(numbers, func(a, b number) int { return compare(words[b.at].baseline, words[a.at].baseline) })
	for _, first := range numbers {
		var group []number
		for _, n := range numbers {
			a, b := words[first.at].box, words[n.at].box
			if tolerance := numberAlign * words[first.at].size; near(a.X1, b.X1, tolerance) || near(a.X0, b.X0, tolerance) {
				group = append(group, n)
			}
		}
		if len(group) > len(best) {
			best = group
		}
	}
	return best
}

// countsUp reports whether numbers count lines: all of them, or every fifth or tenth.
func countsUp(numbers []number) bool {
	steps := map[int]int{}
	for i := 1; i < len(numbers); i++ {
		steps[numbers[i].value-numbers[i-1].value]++
	}
	counted := max(steps[1], steps[5], steps[10])
	return len(numbers) >= minNumbers && float64(counted) >= numbered*float64(len(numbers)-1)
}

// countsLines reports whether there are no more lines between the first and the last number than they count.
func countsLines(numbers []number, words []word) bool {
	first, last := numbers[0], numbers[len(numbers)-1]
	var between []word
	for _, w := range words {
		if w.baseline <= words[first.at].baseline && w.baseline >= words[last.at].baseline {
			between = append(between, w)
		}
	}
	return float64(len(linesOf(between))) <= unnumbered*float64(last.value-first.value+1)
}

// numberOf is the value of a word of digits.
func (p *plane) numberOf(w word) (value int, ok bool) {
	if len(w.glyphs) > maxDigits {
		return 0, false
	}
	var text strings.Builder
	for _, i := range w.glyphs {
		text.WriteString(p.page.Glyphs[i].Text)
	}
	value, err := strconv.Atoi(text.String())
	return value, err == nil && value >= 0
}

// leftOf reports whether a word stands to the left of another on its line.
func leftOf(o, w word) bool {
	return o.box.X1 <= w.box.X0 && min(o.box.Y1, w.box.Y1)-max(o.box.Y0, w.box.Y0) > 0.5*min(o.size, w.size)
}
