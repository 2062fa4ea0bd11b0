package translate

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"time"

	"plait/internal/pipeline"
	"plait/internal/translate/provider"
)

const (
	// maxSegments bounds one call: beyond it models lose count, and a full page has fewer.
	maxSegments = 80
	// maxRecordedRounds bounds all rounds of a page over all runs, so that a page that a model cannot do stops costing.
	maxRecordedRounds = 32
)

// model translates by a language model. It keeps nothing between requests.
type model struct {
	config   Config
	provider provider.Provider
	ledger   Ledger
	log      *slog.Logger
}

// Name is the kind of provider.
func (m *model) Name() string { return m.provider.Name() }

// Check translates one word, and reports who answered and how fast. The call is small, and not in the ledger.
func (m *model) Check(ctx context.Context) (Health, error) {
	system, user := page{from: "ja", to: "en"}.prompt([]string{"こんにちは"})
	started := time.Now()
	completion, err := m.provider.Complete(ctx, provider.Prompt{System: system, User: user, Temperature: m.config.Temperature})
	if err != nil {
		return Health{}, err
	}
	return Health{
		Provider: m.Name(), Model: completion.Model, Endpoint: m.provider.Endpoint(), Latency: time.Since(started),
	}, nil
}

// Translate asks for all segments, and again for those that came back unfit.
func (m *model) Translate(ctx context.Context, r Request) (Result, error) {
	j := newJob(m, r)
	result := Result{Provider: m.Name(), Model: m.provider.Model()}
	paidRounds := 0
	for round := 0; len(j.pending) > 0; round++ {
		if paidRounds == m.config.MaxRounds || round == maxRecordedRounds {
			return Result{}, j.invalid(m.Name())
		}
		paid := result.Paid
		for chunk := range slices.Chunk(slices.Clone(j.pending), chunkSize(len(j.pending), round)) {
			answer, reused, err := m.ask(ctx, j, chunk, round)
			if err != nil {
				return Result{}, err
			}
			if reused {
				result.Reused++
			} else {
				result.Paid++
			}
			j.take(chunk, answer)
		}
		if result.Paid > paid {
			paidRounds++
		}
		if len(j.pending) > 0 {
			m.log.DebugContext(ctx, "segments are asked for again", "page", r.Page.String(), "round", round, "defects", j.counts())
		}
	}
	for i, s := range r.Segments {
		result.Translations = append(result.Translations, pipeline.Translation{Index: s.Index, Text: j.translations[i]})
	}
	return result, nil
}

// chunkSize is how many of n segments one call of a round asks for: all twice, then halves, quarters, eighths.
func chunkSize(n, round int) int {
	parts := 1 << min(max(round-1, 0), 3)
	return min((n+parts-1)/parts, maxSegments)
}

// temperature is that of a round: 0.2 more for each, up to 1 or to the first one if that is higher.
func (c Config) temperature(round int) float64 {
	t := min(c.Temperature+0.2*float64(round), max(c.Temperature, 1))
	// A sum of tenths that is not one would change the key of a call.
	return math.Round(t*100) / 100
}
