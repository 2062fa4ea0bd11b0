package flow

import (
	"math"
	"slices"

	"plait/internal/document"
)

// Horizontal braces stand below or above a part of a formula, often with a label on their other side. Fonts draw them from pieces with rules
// between them. The pieces, what they embrace and the label become one word, which is a part of the formula of the line.

const (
	// pieceHeight is the largest height of a piece of a brace, and joint how far it is from the rule beside it, in em.
	pieceHeight = 0.6
	joint       = 0.1
	// leastPieces is the least number of parts between rules: two ends and a middle.
	leastPieces = 3
	// embraced is the largest distance of a brace to what it embraces, in em.
	embraced = 0.8
)

// braces joins the pieces of horizontal braces, and what belongs to them.
func (b *builder) braces(words []word, f document.Direction) []word {
	gone := make([]bool, len(words))
	for _, chain := range b.chains(words, f) {
		first, middle := b.inkOfWord(words[chain[0]], f), b.inkOfWord(words[chain[len(chain)/2]], f)
		brace := first
		for _, i := range chain {
			brace = union(brace, b.inkOfWord(words[i], f), false)
		}
		below := middle.Y0 < first.Y0
		content := embracedBy(words, gone, chain, brace, below)
		if len(content) == 0 {
			continue
		}
		w := words[content[0]]
		w.sign = false
		for _, i := range content[1:] {
			w.join(words[i])
		}
		em := w.size
		parts := slices.Concat(content, chain)
		for i, label := range words {
			beyond := label.box.Y0 > brace.Y0 != below // on the side of the label
			if !gone[i] && beyond && !slices.Contains(parts, i) && label.size < small*em && limits(brace, label.box, em) {
				parts = append(parts, i)
			}
		}
		w.glyphs = nil
		for _, i := range parts {
			w.glyphs = append(w.glyphs, words[i].glyphs...)
			gone[i] = true
		}
		w.box = union(w.box, brace, false)
		for _, i := range parts {
			w.box = union(w.box, words[i].box, false)
		}
		slices.Sort(w.glyphs)
		for _, i := range w.glyphs {
			b.solid[i] = true
		}
		at := content[0]
		words[at], gone[at] = w, false
	}
	kept := words[:0]
	for i, w := range words {
		if !gone[i] {
			kept = append(kept, w)
		}
	}
	return kept
}

// embracedBy returns the words right above a brace that is below them, or right below it: those of the nearest line, with their sub- and superscripts.
func embracedBy(words []word, gone []bool, chain []int, brace document.Box, below bool) (content []int) {
	nearest := math.Inf(1)
	distance := func(w word) float64 {
		if below {
			return (w.box.Y0+w.box.Y1)/2 - brace.Y1
		}
		return brace.Y0 - (w.box.Y0+w.box.Y1)/2
	}
	belongs := func(i int) bool {
		x := (words[i].box.X0 + words[i].box.X1) / 2
		d := distance(words[i])
		return !gone[i] && !slices.Contains(chain, i) && x > brace.X0 && x < brace.X1 && d > 0 && d < (embraced+0.5)*words[i].size
	}
	for i, w := range words {
		if belongs(i) {
			nearest = min(nearest, distance(w))
		}
	}
	for i, w := range words {
		if belongs(i) && distance(w) < nearest+maxRise*w.size {
			content = append(content, i)
		}
	}
	slices.SortStableFunc(content, func(i, j int) int { // the largest has the baseline, if it is no sign
		switch {
		case words[i].sign == words[j].sign:
		case words[i].sign:
			return 1
		default:
			return -1
		}
		return compare(words[j].size, words[i].size)
	})
	return content
}

// chains returns the words of math fonts that rules join to braces, from left to right.
func (b *builder) chains(words []word, f document.Direction) (chains [][]int) {
	var pieces []int
	inks := map[int]document.Box{}
	for i, w := range words {
		if ink := b.inkOfWord(w, f); ink.Y1-ink.Y0 < pieceHeight*w.size && ink.X1 > ink.X0 && b.allMath(w) {
			pieces = append(pieces, i)
			inks[i] = ink
		}
	}
	if len(pieces) < leastPieces || len(pieces) > maxSigns {
		return nil
	}
	next, follows := map[int]int{}, map[int]bool{}
	for _, rule := range b.page.Rules {
		r := f.BoxIn(rule.Box)
		beside := func(edge float64, of func(document.Box) float64) int {
			return slices.IndexFunc(pieces, func(i int) bool {
				ink := inks[i]
				return near(of(ink), edge, joint*words[i].size) && r.Y0 > ink.Y0-0.5 && r.Y1 < ink.Y1+0.5
			})
		}
		left := beside(r.X0, func(ink document.Box) float64 { return ink.X1 })
		right := beside(r.X1, func(ink document.Box) float64 { return ink.X0 })
		if !rule.Shared && left >= 0 && right >= 0 && left != right {
			next[pieces[left]] = pieces[right]
			follows[pieces[right]] = true
		}
	}
	for _, i := range pieces {
		if _, begins := next[i]; !begins || follows[i] {
			continue
		}
		chain := []int{i}
		for at, more := next[i]; more && len(chain) <= len(pieces); at, more = next[at] {
			chain = append(chain, at)
		}
		if len(chain) >= leastPieces {
			chains = append(chains, chain)
		}
	}
	return chains
}

func (b *builder) inkOfWord(w word, f document.Direction) (box document.Box) {
	for n, i := range w.glyphs {
		box = union(box, f.BoxIn(b.page.Glyphs[i].Ink), n == 0)
	}
	return box
}

func (b *builder) allMath(w word) bool {
	return !slices.ContainsFunc(w.glyphs, func(i int) bool { return !mathFont.MatchString(b.page.Fonts[b.page.Glyphs[i].Font].Name) })
}
