package flow

import (
	"slices"

	"plait/internal/document"
)

const (
	// gutter is the least gap between columns, in em, and lineGutter the least gap between two texts on one line: a wide space within a
	// sentence has up to one em.
	gutter     = 0.9
	lineGutter = 1.8
	// narrow is the width, in em, up to which a column is one of list markers or line numbers.
	narrow = 3.5
	// bandGap is the least gap between two bands that are divided for their distance alone, and leastGap that of any two, in em. Lines have
	// a gap of a quarter of an em.
	bandGap  = 0.7
	leastGap = 0.02
	// A text of one line far on the right of several lines, such as the number of a page, is no column: oneLine is the height of such a text, and
	// fewLines that of the lines, in em.
	oneLine, fewLines = 1.5, 3.0
	// maxCuts bounds the recursion, and maxTries the gaps of one band that are tried.
	maxCuts  = 60
	maxTries = 40
)

// leaf is a part of the text that is not divided further. Its area is what the part has for itself: that of the words, and for a band the whole
// width of what was divided.
type leaf struct {
	words []word
	area  document.Box
	// cell is set for the text of one cell: its lines may be as far apart as they like.
	cell bool
}

// cut divides words along their white space, in reading order: columns from left to right, bands from top to bottom.
func cut(words []word, area document.Box, depth int) (leaves []leaf) {
	if len(words) == 0 {
		return nil
	}
	if depth == maxCuts {
		return []leaf{{words: words, area: area}}
	}
	if parts := columns(words); len(parts) > 1 {
		for i, part := range parts {
			box := boxOf(part)
			if i == len(parts)-1 {
				box.X1 = max(box.X1, area.X1)
			}
			leaves = append(leaves, cut(part, box, depth+1)...)
		}
		return leaves
	}
	if parts := bands(words); len(parts) > 1 {
		for _, part := range parts {
			box := boxOf(part)
			box.X0, box.X1 = area.X0, area.X1
			leaves = append(leaves, cut(part, box, depth+1)...)
		}
		return leaves
	}
	return []leaf{{words: words, area: area}}
}

func sizeOf(words []word) float64 {
	sizes := make([]float64, 0, len(words))
	for _, w := range words {
		sizes = append(sizes, w.size)
	}
	return median(sizes)
}

// columns divides words at the gaps that run through their whole height.
func columns(words []word) [][]word {
	em := sizeOf(words)
	least := gutter * em
	if boxOf(words).Y1-boxOf(words).Y0 < 2*em { // one line
		least = lineGutter * em
	}
	parts := joinMarkers(split(words, least, func(w word) (float64, float64) { return w.box.X0, w.box.X1 }), em)
	for i := 1; i < len(parts); i++ {
		before, b := boxOf(parts[i-1]), boxOf(parts[i])
		if b.X0-before.X1 > partGap*em && b.Y1-b.Y0 < oneLine*em && before.Y1-before.Y0 > fewLines*em {
			parts = slices.Replace(parts, i-1, i+1, slices.Concat(parts[i-1], parts[i]))
			i--
		}
	}
	return parts
}

// joinMarkers joins narrow columns with letters to the column after them: the markers of a list, such as (a), belong to its texts. Markers
// without letters, such as bullets and line numbers, stay a column.
func joinMarkers(parts [][]word, em float64) (joined [][]word) {
	for i := 0; i < len(parts); i++ {
		part := parts[i]
		box := boxOf(part)
		if box.X1-box.X0 < narrow*em && i+1 < len(parts) && boxOf(parts[i+1]).X0-box.X1 < narrow*em {
			next := boxOf(parts[i+1])
			if next.X1-next.X0 >= narrow*em {
				parts[i+1] = append(slices.Clone(part), parts[i+1]...)
				continue
			}
		}
		joined = append(joined, part)
	}
	return joined
}

// bands divides words at one gap that runs through their whole width: at the widest, if it is clearly wider than the others, or else at the
// widest one that lets the words above or below it be divided into columns.
func bands(words []word) [][]word {
	em := sizeOf(words)
	parts := split(words, leastGap*em, func(w word) (float64, float64) { return -w.box.Y1, -w.box.Y0 })
	if len(parts) < 2 {
		return nil
	}
	gaps := make([]float64, len(parts)-1)
	for i := range gaps {
		gaps[i] = boxOf(parts[i]).Y0 - boxOf(parts[i+1]).Y1
	}
	order := make([]int, len(gaps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(gaps[b], gaps[a]) })
	if widest := gaps[order[0]]; widest > max(bandGap*em, 2*median(gaps)) {
		return halves(parts, order[0])
	}
	for _, at := range order[:min(len(order), maxTries)] {
		if h := halves(parts, at); columnar(h[0], em) || columnar(h[1], em) {
			return h
		}
	}
	return nil
}

func halves(parts [][]word, after int) [][]word {
	return [][]word{slices.Concat(parts[:after+1]...), slices.Concat(parts[after+1:]...)}
}

// columnar reports whether words of several lines can be divided into columns.
func columnar(words []word, em float64) bool {
	box := boxOf(words)
	return box.Y1-box.Y0 > 3*em && len(columns(words)) > 1
}

// split divides words at the gaps of at least a width along one axis.
func split(words []word, least float64, extent func(word) (from, to float64)) (parts [][]word) {
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, func(a, b word) int {
		x, _ := extent(a)
		y, _ := extent(b)
		return compare(x, y)
	})
	end := 0.0
	for i, w := range sorted {
		from, to := extent(w)
		if i == 0 || from-end >= least {
			parts = append(parts, nil)
			end = to
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], w)
		end = max(end, to)
	}
	// Within a part, words keep the order of the page.
	for _, part := range parts {
		slices.SortStableFunc(part, func(a, b word) int { return a.glyphs[0] - b.glyphs[0] })
	}
	return parts
}

func boxOf(words []word) (box document.Box) {
	for i, w := range words {
		box = union(box, w.box, i == 0)
	}
	return box
}
