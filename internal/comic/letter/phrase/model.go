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
	// single, pair and triple are the scores of the one, two or three characters around a place, by their position relative to it.
	single [6]map[string]int
	pair   [3]map[string]int
	triple [4]map[string]int
	// base is added to every sum: minus half of the sum of all scores.
	base float64
}

// Parse reads a model: a JSON object of the groups UW1..UW6, BW1..BW3 and TW1..TW4, each an object of scores by text. UW3 and UW4 are
// required.
func Parse(file []byte) (*Model, error) {
	var groups map[string]map[string]int
	if err := json.Unmarshal(file, &groups); err != nil {
		return nil, fmt.Errorf("phrase model: %w", err)
	}
	m := &Model{}
	for i := range m.single {
		m.single[i] = groups[fmt.Sprintf("UW%d", i+1)]
	}
	for i := range m.pair {
		m.pair[i] = groups[fmt.Sprintf("BW%d", i+1)]
	}
	for i := range m.triple {
		m.triple[i] = groups[fmt.Sprintf("TW%d", i+1)]
	}
	if m.single[2] == nil || m.single[3] == nil {
		return nil, fmt.Errorf("phrase model: the groups UW3 and UW4 are missing")
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
	part := func(from, end int) string {
		if from < 0 || end > len(text) {
			return ""
		}
		return string(text[from:end])
	}
	for i := 1; i < len(text); i++ {
		sum := 0
		for k, scores := range m.single {
			sum += scores[part(i-3+k, i-2+k)]
		}
		for k, scores := range m.pair {
			sum += scores[part(i-2+k, i+k)]
		}
		for k, scores := range m.triple {
			sum += scores[part(i-3+k, i+k)]
		}
		out[i] = (m.base + float64(sum)) / certain
	}
	return out
}
