package flow

import (
	"slices"

	"plait/internal/document"
)

const (
	// levelStep is how far the baselines of the texts of a row differ, and their middles if they have different numbers of lines, in em, and
	// levelShare the least share of texts beside each other that agree so.
	levelStep  = 0.08
	levelShare = 0.6
)

// division is the border at which rows are no table, but two parts of the page that stand beside each other, such as a column of prose beside
// a table in another column, or a margin beside the text: their lines are at heights of their own, and no rule runs through both. It is 0 for
// rows that are one table.
func (t *table) division() int {
	for border := 1; border < len(t.columns)-1; border++ {
		agree, pairs := 0, 0
		for _, r := range t.rows {
			for i := 1; i < len(r.chunks); i++ {
				before, c := r.chunks[i-1], r.chunks[i]
				if t.column(before.box) >= border || t.column(c.box) < border {
					continue
				}
				if pairs++; before.levelWith(c, levelStep*r.size) {
					agree++
				}
			}
		}
		if float64(agree) < levelShare*float64(pairs) && !t.ruledOver(t.columns[border]) {
			return border
		}
	}
	return 0
}

// levelWith reports whether a line of one text stands on the baseline of a line of another one, or their middles are at one height.
func (c chunk) levelWith(o chunk, tolerance float64) bool {
	return near(c.box.Y0+c.box.Y1, o.box.Y0+o.box.Y1, 2*tolerance) || slices.ContainsFunc(c.words, func(w word) bool {
		return slices.ContainsFunc(o.words, func(v word) bool { return near(w.baseline, v.baseline, tolerance) })
	})
}

// ruledOver reports whether a horizontal rule at the table runs over a border.
func (t *table) ruledOver(x float64) bool {
	return slices.ContainsFunc(t.rules, func(r document.Box) bool {
		return r.Y1-r.Y0 <= 3 && r.X0 < x-t.size && r.X1 > x+t.size && r.Y1 > t.box.Y0-t.size && r.Y0 < t.box.Y1+t.size
	})
}

// divided returns the rows on both sides of a border.
func (t *table) divided(border int) [][]row {
	sides := make([][]row, 2)
	for _, r := range t.rows {
		parts := [2]row{{size: r.size}, {size: r.size}}
		for _, c := range r.chunks {
			side := 0
			if t.column(c.box) >= border {
				side = 1
			}
			parts[side].box = union(parts[side].box, c.box, len(parts[side].chunks) == 0)
			parts[side].chunks = append(parts[side].chunks, c)
		}
		for side, part := range parts {
			if len(part.chunks) > 0 {
				sides[side] = append(sides[side], part)
			}
		}
	}
	return sides
}

// cardGap is the least gap between two cards, in em. The grounds of columns touch each other.
const cardGap = 0.3

// cards reports whether most texts beside each other stand on grounds of their own, with space between them, that hold several lines. They are
// read one after the other, as columns are.
func (t *table) cards() bool {
	held := map[int]int{}
	for _, r := range t.rows {
		for _, c := range r.chunks {
			held[t.ground(c.box)]++
		}
	}
	apart, pairs := 0, 0
	for _, r := range t.rows {
		for i := 1; i < len(r.chunks); i++ {
			pairs++
			left, right := t.ground(r.chunks[i-1].box), t.ground(r.chunks[i].box)
			if left < 0 || right < 0 || left == right || held[left] < 2 || held[right] < 2 {
				continue
			}
			if a, b := t.frame.BoxIn(t.page.Fills[left].Box), t.frame.BoxIn(t.page.Fills[right].Box); b.X0-a.X1 > cardGap*r.size {
				apart++
			}
		}
	}
	return 2*apart > pairs
}

// ground is the smallest filled area in which a text stands; -1 without any.
func (t *table) ground(b document.Box) int {
	smallest := -1
	for i, f := range t.page.Fills {
		if within(t.frame.BoxOut(b), f.Box) && (smallest < 0 || area(f.Box) < area(t.page.Fills[smallest].Box)) {
			smallest = i
		}
	}
	return smallest
}
