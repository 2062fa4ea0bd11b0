package translate

import (
	"math"
	"unicode"

	"plait/internal/core"
)

// The lengths of a text and its translation are correlated. W. A. Gale and K. W. Church, "A Program for Aligning Sentences in Bilingual
// Corpora" (Computational Linguistics 19, 1993), align sentences by lengths alone. Here the numbers of a reply already give the alignment,
// and the lengths only detect numbers that cannot be right: those of a model that has merged two segments, renumbered the rest and
// invented a text for the last number.
const (
	// lengthVariance is the variance of a length in characters, per character of the expected length. In the paper it is 6.8, for English,
	// French and German parliamentary texts; bubbles of a comic in Chinese, Japanese and English vary less, under 3.
	lengthVariance = 3.0
	// skipCost and mergeCost are negative logarithms of the probability that a text is omitted or added, and that two are merged: one in a
	// hundred and one in twelve as in the paper, up to a common factor.
	skipCost, mergeCost = 4.0, 3.0
	// maxLengthCost stops a single free translation from deciding the result.
	maxLengthCost = 12.0
	// minGain is by how much another order must be better. Measured on the bubbles of a comic in three languages, in groups of 4 to 20 and
	// in five directions, no correct order gained more than 1, and half of those with a merged pair and an invented last text did.
	minGain = 2.0
	// minOrdered is the smallest number of texts from which an order can be judged.
	minOrdered = 4
)

// misplaced reports whether, by their lengths, the answers belong to other sources than their numbers say. The answers are acceptable
// except that some at the front are missing.
func misplaced(sources []string, answers []answered) bool {
	from, to := make([]float64, len(sources)), []float64{}
	gone := 0
	for i, a := range answers {
		from[i] = visible(sources[i])
		switch {
		case a.defect == "":
			to = append(to, visible(a.text))
		case a.defect == core.UntranslatedMissing && i == gone:
			gone++
		default:
			return false
		}
	}
	if len(to) < minOrdered {
		return false
	}
	ratio := sum(to) / max(sum(from[gone:]), 1)
	stated := skipCost * float64(gone)
	for i, length := range to {
		stated += lengthCost(from[gone+i], length, ratio)
	}
	return stated-bestOrder(from, to, ratio) > minGain
}

// bestOrder is the least cost of any alignment of texts with sources in order: one to one, two to one, one to two, and some omitted or
// added.
func bestOrder(from, to []float64, ratio float64) float64 {
	costs := make([][]float64, len(from)+1)
	for i := range costs {
		costs[i] = make([]float64, len(to)+1)
		for k := range costs[i] {
			costs[i][k] = least(costs, from, to, i, k, ratio)
		}
	}
	return costs[len(from)][len(to)]
}

// least is the cost of aligning the first i sources with the first k texts, when all smaller ones are known.
func least(costs [][]float64, from, to []float64, i, k int, ratio float64) float64 {
	if i == 0 && k == 0 {
		return 0
	}
	best := math.Inf(1)
	if i > 0 {
		best = min(best, costs[i-1][k]+skipCost)
	}
	if k > 0 {
		best = min(best, costs[i][k-1]+skipCost)
	}
	if i > 0 && k > 0 {
		best = min(best, costs[i-1][k-1]+lengthCost(from[i-1], to[k-1], ratio))
	}
	if i > 1 && k > 0 {
		best = min(best, costs[i-2][k-1]+mergeCost+lengthCost(from[i-2]+from[i-1], to[k-1], ratio))
	}
	if i > 0 && k > 1 {
		best = min(best, costs[i-1][k-2]+mergeCost+lengthCost(from[i-1], to[k-2]+to[k-1], ratio))
	}
	return best
}

// lengthCost is the negative logarithm of the probability that a translation deviates this far from the expected length.
func lengthCost(source, translation, ratio float64) float64 {
	expected := ratio * source
	far := math.Abs(translation-expected) / math.Sqrt(lengthVariance*max((expected+translation)/2, 1))
	return min(-math.Log(math.Erfc(far/math.Sqrt2)), maxLengthCost)
}

// visible is the number of characters other than white space.
func visible(text string) (n float64) {
	for _, r := range text {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}
