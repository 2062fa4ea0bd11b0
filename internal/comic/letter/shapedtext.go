package letter

import (
	"strings"
	"unicode"
)

// shapedText is a shaped text with the metrics of its lines, in em: all that layout needs to know.
type shapedText struct {
	clusters []cluster
	// sum[i] is the advance of clusters before i; letters[i] the number of letters and figures among them.
	sum     []float64
	letters []int
	// light are the clusters that are dots or quotes.
	light []bool
	// above and below are how far lines reach from the baseline (from the axis, for columns); pitch is from line to line.
	above, below, pitch float64
	// margin and least are the margins to the edge of the text area.
	margin, least float64
	hyphen        cluster
	// flush is where lines stand to each other: -1 left, 0 centered, 1 right. Columns hang from one line: -1.
	flush int
	// rightToLeft is the direction of the text as a whole.
	rightToLeft bool
}

// count fills in the sums over the clusters of text.
func (t *shapedText) count(text []rune) {
	t.sum, t.letters, t.light = make([]float64, len(t.clusters)+1), make([]int, len(t.clusters)+1), make([]bool, len(t.clusters))
	for i, c := range t.clusters {
		t.sum[i+1], t.letters[i+1] = t.sum[i]+c.advance, t.letters[i]
		t.light[i] = strings.ContainsRune("….,“”„«»‘’\"'-–、。", text[c.start])
		for _, r := range text[c.start:c.end] {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				t.letters[i+1]++
			}
		}
	}
}

// span is the advance of clusters from to end, without the space at its end.
func (t *shapedText) span(from, end int) float64 {
	for end > from && t.clusters[end-1].space {
		end--
	}
	return t.sum[end] - t.sum[from]
}

// marks is the advance of the dots and quotes from the start of a line on (step 1, at is its first cluster), or from its
// end back (step -1, at is behind its last).
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

// visual is the order in which the clusters of a line stand from left to right, without the space at its end: runs of the
// other direction are turned around (UAX 9, L2; a text of one level within each run needs no more).
func (t *shapedText) visual(from, end int) []int {
	for end > from && t.clusters[end-1].space {
		end--
	}
	out := make([]int, 0, end-from)
	for a := from; a < end; {
		z := a
		for z < end && t.clusters[z].rightToLeft == t.clusters[a].rightToLeft {
			z++
		}
		run := make([]int, 0, z-a)
		for i := a; i < z; i++ {
			run = append(run, i)
			if k := len(run) - 1; t.clusters[i].rightToLeft {
				copy(run[1:], run[:k])
				run[0] = i
			}
		}
		if t.rightToLeft {
			out = append(run, out...)
		} else {
			out = append(out, run...)
		}
		a = z
	}
	return out
}
