package translate

import (
	"math"
	"slices"

	"plait/internal/core"
)

const (
	// outputRatio is the length of a translation in tokens, relative to its source: between Japanese, Chinese, Korean and English,
	// dialogue deviates from its length by at most a third.
	outputRatio = 1.15
	// markerTokens is the number of tokens of a marker and a line end.
	markerTokens = 6
)

// Estimator estimates the usage for a page before any call. Translators by models are estimators.
type Estimator interface {
	// Estimate assumes that every segment of the page gets an acceptable answer the first time.
	Estimate(r Request) core.Usage
}

// Estimate counts the prompts as they would be sent, and assumes that answers are slightly longer than their sources.
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
