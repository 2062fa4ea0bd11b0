package translate

import (
	"math"
	"unicode"

	"plait/internal/core"
)

// A text and its translation have lengths that go together. W. A. Gale and K. W. Church, "A Program for Aligning Sentences in
// Bilingual Corpora" (Computational Linguistics 19, 1993), find by the lengths alone which sentences belong together. Here the numbers
// of a reply say so already, and the lengths are only to tell where the numbers cannot be right: where a model has merged two
// segments, numbered the rest anew and filled up the end.
const (
	// lengthVariance is that of a length in characters, by the length that was to be expected: theirs is 6.8 for English, French and
	// German parliament; bubbles of a comic in Chinese, Japanese and English keep closer, to under 3.
	lengthVariance = 3.0
	// skipCost and mergeCost are negative logarithms of how likely a text is left out or added, or two are merged: as in the
	// paper, one in a hundred and one in twelve, but for a factor that they have in common.
	skipCost, mergeCost = 4.0, 3.0
	// maxLengthCost keeps one free translation from deciding.
	maxLengthCost = 12.0
	// minGain is by how much another order must be the better one. On the bubbles of a comic in three languages, taken by 4 to 20
	// in five directions, no true order came above 1, and half of those with a merged pair and a filled end did.
	minGain = 2.0
	// minOrdered texts say something of an order.
	minOrdered = 4
)

// misplaced reports whether the answers, which are fit but for some missing at the front, belong to other sources than their
// numbers say, going by their lengths.
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

// bestOrder is the least cost of any way to lay texts beside sources in one order: one to one, two to one, one to two, and some left
// out or added.
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

// least is the cost of the first i sources beside the first k texts, when all lesser ones are known.
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

// lengthCost is the negative logarithm of the probability that a translation is this far from the length to be expected.
func lengthCost(source, translation, ratio float64) float64 {
	expected := ratio * source
	far := math.Abs(translation-expected) / math.Sqrt(lengthVariance*max((expected+translation)/2, 1))
	return min(-math.Log(math.Erfc(far/math.Sqrt2)), maxLengthCost)
}

// visible is the number of characters that are no white space.
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
