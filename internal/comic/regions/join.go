package regions

import (
	"cmp"
	"image"
	"math"
	"slices"

	"plait/internal/raster/unionfind"
)

// Limits for two lines of one region. The detector grows lines beyond their glyphs by a quarter of the glyphs'
// height across and half of it along, so that lines without leading overlap: gaps are measured between the grown lines.
const (
	maxSizeRatio = 2.0
	maxAngle     = 15 * math.Pi / 180
	// maxGap is the widest gap between a line and the next, in sizes of the smaller.
	maxGap = 0.8
	// usualGap is how much wider than usual such a gap may be: on the measured pages the gaps in one bubble differ by at most 0.13, and
	// those between bubbles that run into each other by 0.3 and more.
	usualGap = 0.22
	// oneEdge is the greatest distance between the tops of two columns aligned to one edge, in sizes of the smaller. A wide gap between
	// such columns is wide leading: bubbles that run into each other have edges of their own. Rows have no such limit, because rows in
	// bubbles are centered and begin at one edge only by chance.
	oneEdge = 0.15
	// maxBreak is the widest gap between two pieces of one line, in sizes of the smaller.
	maxBreak = 0.3
	// minOverlap is the least share of the shorter of two lines that lies beside the other.
	minOverlap = 0.3
)

// link is a pair of lines that may belong together, and the gap between them in sizes.
type link struct {
	a, b int
	gap  float64
	// row says that they are pieces of one line rather than successive lines.
	row bool
	// flush says that they are columns that begin at one edge.
	flush bool
}

// join divides lines, with their palettes in parallel, into groups of indices that belong together. Groups are ordered by their first
// lines.
func join(img *image.NRGBA, lines []Line, palettes []palette) [][]int {
	var links []link
	for a := range lines {
		for b := a + 1; b < len(lines); b++ {
			l, where := relate(lines[a], lines[b])
			l.a, l.b = a, b
			if where.possible && !divided(img, where, palettes[a], palettes[b]) {
				links = append(links, l)
			}
		}
	}
	tree := spanningTree(len(lines), withoutColumns(lines, links))
	return groups(len(lines), withoutWide(len(lines), tree))
}

// relate measures the position of two lines relative to each other.
func relate(a, b Line) (link, blank) {
	small, large := min(a.size(), b.size()), max(a.size(), b.size())
	if a.Bubble != b.Bubble || a.Vertical != b.Vertical || small <= 0 || large > maxSizeRatio*small {
		return link{}, blank{}
	}
	longer := a
	if b.length() > a.length() {
		longer = b
	}
	// The angle of a short line is not precise.
	if math.Abs(a.angle()-b.angle()) > maxAngle && min(a.length(), b.length()) > 2*large {
		return link{}, blank{}
	}
	f := newFrame(longer.angle(), a.Vertical)
	aAlong, aAcross := a.extent(f)
	bAlong, bAcross := b.extent(f)
	if beside(aAlong, bAlong) {
		where := blank{frame: f, side: aAlong.overlap(bAlong), way: aAcross.between(bAcross), across: true}
		gap := where.way.length() / small
		where.possible = gap <= maxGap
		return link{gap: gap, flush: a.Vertical && math.Abs(aAlong.from-bAlong.from) <= oneEdge*small}, where
	}
	where := blank{frame: f, side: aAcross.overlap(bAcross), way: aAlong.between(bAlong)}
	gap := where.way.length() / small
	where.possible = where.side.length() >= 0.5*small && gap <= maxBreak
	return link{gap: gap, row: true}, where
}

// beside reports whether two intervals overlap enough to lie beside each other rather than one after the other.
func beside(a, b interval) bool {
	return a.overlap(b).length() >= minOverlap*min(a.length(), b.length())
}

// withoutColumns drops links between pieces of one row that are the ends of two columns of text: each has a neighbor above or below that
// the other does not have.
func withoutColumns(lines []Line, links []link) []link {
	stacked := make([][]int, len(lines))
	for _, l := range links {
		if !l.row {
			stacked[l.a] = append(stacked[l.a], l.b)
			stacked[l.b] = append(stacked[l.b], l.a)
		}
	}
	own := func(i, other int) bool {
		f := newFrame(lines[i].angle(), lines[i].Vertical)
		along, _ := f.extent(lines[other].Quad)
		return slices.ContainsFunc(stacked[i], func(k int) bool {
			neighbor, _ := f.extent(lines[k].Quad)
			return k != other && !beside(neighbor, along)
		})
	}
	return slices.DeleteFunc(links, func(l link) bool { return l.row && own(l.a, l.b) && own(l.b, l.a) })
}

// withoutWide drops links with a gap much wider than is usual on the page and in the rest of the lines that they connect.
func withoutWide(n int, tree []link) []link {
	groupOf := make([]int, n)
	for g, members := range groups(n, tree) {
		for _, i := range members {
			groupOf[i] = g
		}
	}
	page := usual(tree, func(link) bool { return true })
	var kept []link
	for i, l := range tree {
		group := usual(tree, func(o link) bool { return o != tree[i] && groupOf[o.a] == groupOf[l.a] })
		if l.row || l.flush || l.gap <= max(page, group)+usualGap {
			kept = append(kept, l)
		}
	}
	return kept
}

// usual is the lower median of the gaps of the links between successive lines that counts accepts; 0 if there are none.
func usual(links []link, counts func(link) bool) float64 {
	var gaps []float64
	for _, l := range links {
		if !l.row && counts(l) {
			gaps = append(gaps, l.gap)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[(len(gaps)-1)/2]
}

// spanningTree is the minimum spanning forest of the links by gap (Kruskal, 1956).
func spanningTree(n int, links []link) []link {
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.gap, b.gap) })
	sets := unionfind.New(n)
	var tree []link
	for _, l := range links {
		if sets.Union(l.a, l.b) {
			tree = append(tree, l)
		}
	}
	return tree
}

// groups are the connected components of the links, ordered by their least members.
func groups(n int, links []link) [][]int {
	sets := unionfind.New(n)
	for _, l := range links {
		sets.Union(l.a, l.b)
	}
	return sets.Groups()
}
