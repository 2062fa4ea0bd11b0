package letter

import (
	"slices"
	"strings"
)

// shapedText is a shaped text with the metrics of its lines, in em. It has all that layout needs.
type shapedText struct {
	clusters []cluster
	// sum[i] is the total advance of the clusters before i.
	sum []float64
	// light says which clusters are dots or quotes.
	light []bool
	// above and below are the extent of lines from the baseline (from the axis, for columns). pitch is the distance of baselines.
	above, below, pitch float64
	// overhang is how far leaning letters extend beyond the line on each side.
	overhang float64
	// margin, narrowMargin and least are the usual, a narrow and the least margin to the edge of the text area.
	margin, narrowMargin, least float64
	hyphen                      cluster
	// narrow is the horizontal scale of letters, at most 1.
	narrow float64
	// flush is the alignment of the lines: -1 left, 0 centered, 1 right. Columns are -1.
	flush int
	// rightToLeft is the direction of the text as a whole.
	rightToLeft bool
}

// count computes the sums over the clusters of text.
func (t *shapedText) count(text []rune) {
	t.sum, t.light = make([]float64, len(t.clusters)+1), make([]bool, len(t.clusters))
	for i, c := range t.clusters {
		t.sum[i+1] = t.sum[i] + c.advance
		t.light[i] = strings.ContainsRune("….,“”„«»‘’\"'-–、。", text[c.start])
	}
}

// span returns the advance of the clusters from to end, without a trailing space.
func (t *shapedText) span(from, end int) float64 {
	for end > from && t.clusters[end-1].space {
		end--
	}
	return t.sum[end] - t.sum[from]
}

// marks returns the advance of the dots and quotes at the start of a line (step 1, at is its first cluster), or at its end (step -1, at is
// after its last cluster).
func (t *shapedText) marks(at, step int) float64 {
	var sum float64
	if step < 0 {
		at--
	}
	for at >= 0 && at < len(t.clusters) && (t.light[at] || step < 0 && sum == 0 && t.clusters[at].space) {
		if t.light[at] {
			sum += t.clusters[at].advance
		}
		at += step
	}
	return sum
}

// visual returns the clusters of a line in order from left to right, without a trailing space. Runs of the other direction are reversed
// (UAX 9, L2; no more is needed as long as each run has one level).
func (t *shapedText) visual(from, end int) []int {
	for end > from && t.clusters[end-1].space {
		end--
	}
	var runs [][]int
	for i := from; i < end; i++ {
		if i == from || t.clusters[i].rightToLeft != t.clusters[i-1].rightToLeft {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], i)
	}
	for _, run := range runs {
		if t.clusters[run[0]].rightToLeft {
			slices.Reverse(run)
		}
	}
	if t.rightToLeft {
		slices.Reverse(runs)
	}
	return slices.Concat(runs...)
}
