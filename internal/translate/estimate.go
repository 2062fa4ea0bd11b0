package translate

import (
	"math"
	"slices"

	"plait/internal/core"
)

const (
	// outputRatio is the length of a translation in tokens of its source: between Japanese, Chinese, Korean and English, dialogue
	// keeps within a third of it either way.
	outputRatio = 1.15
	// markerTokens are those of a marker and the end of its line.
	markerTokens = 6
)

// Estimator tells what a page will take before anything is paid. Translators of models are estimators.
type Estimator interface {
	// Estimate is for a page whose every segment is answered well the first time.
	Estimate(r Request) core.Usage
}

// Estimate counts the prompts as they would be sent, and takes the answers to be somewhat longer than their sources.
func (m *model) Estimate(r Request) core.Usage {
	j := newJob(m, r)
	var u core.Usage
	for chunk := range slices.Chunk(j.pending, maxSegments) {
		system, user := j.prompt(chunk)
		u.Calls++
		u.InputTokens += m.config.Count(system) + m.config.Count(user)
		output := 0.0
		for _, i := range chunk {
			output += outputRatio*float64(m.config.Count(j.sources[i])) + markerTokens
		}
		u.OutputTokens += int(math.Ceil(output))
	}
	u.CostMicros = m.config.micros(m.first.Model(), u.InputTokens, u.OutputTokens)
	return u
}
