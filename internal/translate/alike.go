package translate

import "plait/internal/translate/script"

const (
	// minAlike is the length in characters from which the similarity of two texts is not accidental, and alikeShare the share of the
	// shorter text that they must have in common, in one piece. Sources count as similar from sourceShare on, because one translation may
	// cover two wordings of the same statement.
	minAlike, alikeShare, sourceShare = 12, 0.8, 0.5
)

// filledUp reports whether the last text repeats another although its source does not: replies of a model that has lost a segment and
// invented a text for the last number look like this.
func filledUp(sources []string, answers []answered) bool {
	last := len(answers) - 1
	if last < 1 || answers[last].defect != "" {
		return false
	}
	for i, a := range answers[:last] {
		_, share := inCommon(sources[i], sources[last])
		if a.defect != "" || share >= sourceShare {
			continue
		}
		if shorter, share := inCommon(a.text, answers[last].text); shorter >= minAlike && share >= alikeShare {
			return true
		}
	}
	return false
}

// saidTwice reports whether the second half of a text repeats the first, although its source does not repeat itself.
func saidTwice(source, text string) bool {
	half, share := halves(text)
	if half < minAlike || share < alikeShare {
		return false
	}
	_, share = halves(source)
	return share < sourceShare
}

// halves returns the normalized length of half a text, and the share of it that the halves have in common in one piece.
func halves(text string) (half int, share float64) {
	runes := []rune(script.Normalize(text))
	half = len(runes) / 2
	return half, float64(longestCommon(runes[:half], runes[half:])) / float64(max(half, 1))
}

// inCommon returns the normalized length of the shorter of two texts, and the share of it that is one piece of the longer.
func inCommon(a, b string) (shorter int, share float64) {
	x, y := []rune(script.Normalize(a)), []rune(script.Normalize(b))
	shorter = min(len(x), len(y))
	return shorter, float64(longestCommon(x, y)) / float64(max(shorter, 1))
}

// longestCommon is the length of the longest common substring.
func longestCommon(a, b []rune) (longest int) {
	before := make([]int, len(b)+1)
	for _, r := range a {
		now := make([]int, len(b)+1)
		for k, other := range b {
			if r == other {
				now[k+1] = before[k] + 1
				longest = max(longest, now[k+1])
			}
		}
		before = now
	}
	return longest
}
