package regions

import (
	"cmp"
	"math"
	"slices"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/raster/unionfind"
)

// Limits for two lines of one region. The detector grows lines beyond their glyphs by a quarter of the glyphs'
// height across and half of it along, so that lines without leading overlap: gaps are measured between the grown lines.
const (
	// maxSizeRatio is the greatest ratio of their sizes in a bubble, where one may be shouted; elsewhere it is [comic.SameSize].
	maxSizeRatio = 2.0
	maxAngle     = 15 * math.Pi / 180
	// maxGap is the widest gap between a line and the next, in sizes of the smaller.
	maxGap = 0.8
	// usualGap is how much wider than usual on the page such a gap may be: on the measured pages the gaps in one bubble differ by at most
	// 0.13, and those between bubbles that run into each other by 0.3 and more.
	usualGap = 0.22
	// minOverlap is the least share of the shorter of two lines that lies beside the other. Pieces side by side are separate texts.
	minOverlap = 0.3
)

// link is a pair of lines that may belong together, and the gap between them in sizes.
type link struct {
	a, b int
	gap  float64
}

// join divides lines, with the colors around them in parallel, into groups of indices that belong together. Groups are ordered by their first
// lines.
func join(lines []Line, grounds []raster.RGB) [][]int {
	var links []link
	for a := range lines {
		for b := a + 1; b < len(lines); b++ {
			if gap, near := relate(lines[a], lines[b]); near && !raster.Distinct(grounds[a], grounds[b]) {
				links = append(links, link{a, b, gap})
			}
		}
	}
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Compare(a.gap, b.gap) })
	var gaps []float64 // of the minimum spanning forest (Kruskal, 1956)
	sets := unionfind.New(len(lines))
	for _, l := range links {
		if sets.Union(l.a, l.b) {
			gaps = append(gaps, l.gap)
		}
	}
	widest := raster.LowerMedian(gaps) + usualGap
	sets = unionfind.New(len(lines))
	for _, l := range links {
		if l.gap <= widest {
			sets.Union(l.a, l.b)
		}
	}
	return sets.Groups()
}

// relate returns the gap between two lines, in sizes of the smaller, and reports whether they are near enough to belong together.
func relate(a, b Line) (gap float64, near bool) {
	small, large, ratio := min(a.size(), b.size()), max(a.size(), b.size()), maxSizeRatio
	if a.Bubble == 0 {
		ratio = comic.SameSize
	}
	if a.Bubble != b.Bubble || a.Vertical != b.Vertical || small <= 0 || large > ratio*small {
		return 0, false
	}
	longer := a
	if b.length() > a.length() {
		longer = b
	}
	// The angle of a short line is not precise.
	if math.Abs(a.angle()-b.angle()) > maxAngle && min(a.length(), b.length()) > 2*large {
		return 0, false
	}
	f := newFrame(longer.angle(), a.Vertical)
	aAlong, aAcross := a.extent(f)
	bAlong, bAcross := b.extent(f)
	gap = aAcross.between(bAcross).length() / small
	return gap, gap <= maxGap && aAlong.overlap(bAlong).length() >= minOverlap*min(aAlong.length(), bAlong.length())
}

// Limits for splitting two bubbles that run into each other, in sizes of the smallest line.
const (
	// agreeing is the greatest distance of the middles of the lines of one bubble from their mean.
	agreeing = 0.4
	// shifted is the least distance between the middles of two bubbles.
	shifted = 1.2
)

// conjoined divides a group, sorted in reading order in its frame, where one bubble runs into the next without an outline between them. The
// lines of each bubble are then centered on their own middle. In contrast, the lines of a single bubble set to one side share an edge, and those of
// a slanted one move their middle from line to line.
func conjoined(lines []Line, f frame) [][]Line {
	size := math.Inf(1)
	for _, l := range lines {
		size = min(size, l.size())
	}
	if starts, _, ends := edges(lines, f); min(starts.farthest, ends.farthest) <= agreeing*size {
		return [][]Line{lines} // set to one edge
	}
	for k := 2; k+2 <= len(lines); k++ {
		_, before, _ := edges(lines[:k], f)
		_, after, _ := edges(lines[k:], f)
		if math.Abs(after.mean-before.mean) >= shifted*size && max(before.farthest, after.farthest) <= agreeing*size {
			return append([][]Line{lines[:k]}, conjoined(lines[k:], f)...)
		}
	}
	return [][]Line{lines}
}
