// Package phrase finds where phrases begin in Chinese and Japanese, which are written without spaces. Package letter prefers to break lines
// there.
//
// [OpenJapanese] reads a dictionary of Japanese, by whose parts of speech phrases are told. For Chinese, [Parse] reads a model of BudouX
// (github.com/google/budoux): the sum of the scores of the characters, pairs and triples around a place says whether a phrase begins there.
package phrase

import (
	"encoding/json"
	"fmt"
)

// Scorer knows where phrases begin.
type Scorer interface {
	// Scores returns, for each place in text from 0 to its length, how likely a phrase begins there: it is more likely than not above zero,
	// and certain from 1 on. Both ends of the text score zero.
	Scores(text []rune) []float64
}

// certain is the sum of scores of a model that counts as certain. Most places in dialogue score more.
const certain = 1000

// Model has the scores of one language. It is safe for concurrent use.
type Model struct {
	grams []gram
	// base is added to every sum: minus half of the sum of all scores.
	base float64
}

// gram has the scores of the characters between two places, from and end, relative to that where a phrase may begin.
type gram struct {
	scores    map[string]int
	from, end int
}

// Parse reads a model: a JSON object of the groups UW1..UW6, BW1..BW3 and TW1..TW4, each an object of scores by text. UW3 and UW4 are
// required.
func Parse(file []byte) (*Model, error) {
	var groups map[string]map[string]int
	if err := json.Unmarshal(file, &groups); err != nil {
		return nil, fmt.Errorf("phrase model: %w", err)
	}
	if groups["UW3"] == nil || groups["UW4"] == nil {
		return nil, fmt.Errorf("phrase model: the groups UW3 and UW4 are missing")
	}
	m := &Model{}
	for _, of := range []struct {
		name                string
		count, from, length int
	}{{"UW", 6, -3, 1}, {"BW", 3, -2, 2}, {"TW", 4, -3, 3}} {
		for k := range of.count {
			m.grams = append(m.grams, gram{groups[fmt.Sprintf("%s%d", of.name, k+1)], of.from + k, of.from + k + of.length})
		}
	}
	for _, scores := range groups {
		for _, score := range scores {
			m.base -= 0.5 * float64(score)
		}
	}
	return m, nil
}

// Scores implements [Scorer].
func (m *Model) Scores(text []rune) []float64 {
	out := make([]float64, len(text)+1)
	for i := 1; i < len(text); i++ {
		sum := 0
		for _, g := range m.grams {
			if i+g.from >= 0 && i+g.end <= len(text) {
				sum += g.scores[string(text[i+g.from:i+g.end])]
			}
		}
		out[i] = (m.base + float64(sum)) / certain
	}
	return out
}
