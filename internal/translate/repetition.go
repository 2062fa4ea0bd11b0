package translate

import (
	"slices"
	"strings"
)

// repeats reports whether a model is stuck in a repetition: one character or one word threshold times in a row, or a phrase of threshold/2
// words three times in a row.
func repeats(text string, threshold int) bool {
	words := strings.Fields(text)
	return longestRun([]rune(text)) >= threshold || longestRun(words) >= threshold || repeatsPhrase(words, max(threshold/2, 2))
}

// longestRun is the largest number of equal neighbors.
func longestRun[T comparable](items []T) int {
	longest, run := 0, 0
	for i, item := range items {
		if i > 0 && item != items[i-1] {
			run = 0
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

func repeatsPhrase(words []string, length int) bool {
	for start := 0; start+3*length <= len(words); start++ {
		phrase := words[start : start+length]
		if slices.Equal(phrase, words[start+length:start+2*length]) && slices.Equal(phrase, words[start+2*length:start+3*length]) {
			return true
		}
	}
	return false
}
