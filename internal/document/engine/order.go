package engine

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"plait/internal/document"
)

// order lets the texts of an edit be drawn in reading order, which is the order in which viewers copy them. Files often draw the footnotes of a
// page first, or a table column by column. As few texts as possible are drawn at other places in the content than their sources: none on pages
// with tags, whose blocks are in the order of the content. Texts with formulas stay beside them, and no text gets below an area that is
// painted later.
func order(page document.Page, blocks []Translated, leftward bool, edit *document.Edit) {
	texts := map[int]*document.Text{}
	for i := range edit.Texts {
		texts[edit.Texts[i].Block] = &edit.Texts[i]
	}
	var set []*document.Block // in reading order
	for i := range blocks {
		if b := &blocks[i].Block; texts[b.Index] != nil {
			set = append(set, b)
		}
	}
	slices.SortFunc(set, func(a, b *document.Block) int { return cmp.Compare(a.Index, b.Index) })
	if leftward {
		turnRows(page, set)
	}
	places := map[int]int{}
	for i, b := range set {
		places[b.Index] = i
	}
	kept := inOrder(set, texts)
	next := document.Op(-1) // the end of the page
	for i := len(set) - 1; i >= 0; i-- {
		text := texts[set[i].Index]
		if kept[i] || len(set[i].Formulas) > 0 {
			if kept[i] {
				next = text.Op
			}
			continue
		}
		if !covered(page, text, next) {
			text.Op = next
		}
	}
	slices.SortStableFunc(edit.Texts, func(a, b document.Text) int { return cmp.Compare(places[a.Block], places[b.Block]) })
}

// turnRows puts the texts of each row that a viewer shows sideways in the order from left to right. Glyphs are drawn in this order in every script, and
// viewers turn what they find in a row of a script that is written from right to left. They sort the texts of a level row before, but not of a sideways one.
func turnRows(page document.Page, set []*document.Block) {
	for from := 0; from < len(set); {
		to := from + 1
		for to < len(set) && inSidewaysRow(page, set[from], set[to]) {
			to++
		}
		slices.Reverse(set[from:to])
		from = to
	}
}

// inSidewaysRow reports whether two texts stand in one row that a viewer shows sideways. Those of several lines are columns.
func inSidewaysRow(page document.Page, a, b *document.Block) bool {
	if a.Direction != b.Direction || (int(a.Direction)+page.Rotate)%180 == 0 || a.Lines > 1 || b.Lines > 1 {
		return false
	}
	one, other := a.Direction.BoxIn(a.Box), a.Direction.BoxIn(b.Box)
	return min(one.Y1, other.Y1)-max(one.Y0, other.Y0) > 0.5*min(one.Y1-one.Y0, other.Y1-other.Y0)
}

// inOrder finds the texts that keep their places: those with the most characters whose places are in reading order. It is the heaviest
// non-decreasing subsequence of the operators, found with a binary indexed tree (Fenwick, 1994) over them.
func inOrder(set []*document.Block, texts map[int]*document.Text) []bool {
	ops := make([]document.Op, len(set))
	for i, b := range set {
		ops[i] = texts[b.Index].Op
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(ops)))
	// tree has, for a range of operators, the last text of the heaviest sequence that ends at one of them, from 1; 0 is none. most and before
	// are the weight of the heaviest sequence that ends with a text, and the text before it there, counted likewise.
	tree := make([]int, len(sorted)+1)
	most, before := make([]int, len(set)+1), make([]int, len(set)+1)
	last := 0
	for i, b := range set {
		rank, _ := slices.BinarySearch(sorted, ops[i])
		text, best := i+1, 0
		for at := rank + 1; at > 0; at -= at & -at {
			if most[tree[at]] > most[best] {
				best = tree[at]
			}
		}
		most[text], before[text] = most[best]+utf8.RuneCountInString(b.Text), best
		for at := rank + 1; at < len(tree); at += at & -at {
			if tree[at] == 0 || most[text] > most[tree[at]] {
				tree[at] = text
			}
		}
		if last == 0 || most[text] > most[last] {
			last = text
		}
	}
	kept := make([]bool, len(set))
	for ; last > 0; last = before[last] {
		kept[last-1] = true
	}
	return kept
}

// covered reports whether a text would be painted over if it were drawn at an operator before its own: by a fill between them, or by a picture,
// whose place in the content is not known.
func covered(page document.Page, text *document.Text, at document.Op) bool {
	if at < 0 || at >= text.Op {
		return false
	}
	return slices.ContainsFunc(page.Fills, func(f document.Fill) bool {
		return f.Op >= at && f.Op < text.Op && f.Box.Overlap(text.Box) > 0
	}) || slices.ContainsFunc(page.Images, func(b document.Box) bool { return b.Overlap(text.Box) > 0 })
}
