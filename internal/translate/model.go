package translate

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"time"

	"plait/internal/core"
	"plait/internal/translate/provider"
)

// maxSegments bounds one call: models lose count beyond it, and a full page has fewer.
const maxSegments = 80

// model translates by a language model. It keeps no state between requests.
type model struct {
	config Config
	plan   []attempt
	// settled means that the first model gives the same answer to a repeated question.
	settled bool
	first   *asked
	// fallback is nil when there is none.
	fallback *asked
	ledger   Ledger
	log      *slog.Logger
}

// asked is a model with its limits.
type asked struct {
	provider.Provider
	// budget may be nil.
	budget *budget
}

// Name is the kind of provider.
func (m *model) Name() string { return m.first.Name() }

// Check translates one word, and reports the model, its latency and the cost. The call is small, and not in the ledger.
func (m *model) Check(ctx context.Context) (Health, error) {
	const word = "こんにちは"
	system, user := page{from: "ja", to: "en", schema: m.config.Schema, prompts: m.config.Prompts}.prompt([]string{word})
	started := time.Now()
	completion, err := m.first.Complete(ctx, provider.Prompt{
		System: system, User: user, Temperature: m.config.Temperature, MaxTokens: m.config.MaxTokens, Schema: m.config.Schema,
		Segments: []string{word}, From: "ja", To: "en",
	})
	if err != nil {
		return Health{}, err
	}
	return Health{
		Provider: m.Name(), Model: completion.Model, Endpoint: m.first.Endpoint(), Latency: time.Since(started),
		Usage: core.Usage{
			Calls: 1, InputTokens: completion.InputTokens, OutputTokens: completion.OutputTokens,
			CostMicros: m.config.micros(m.first.Model(), completion.InputTokens, completion.OutputTokens),
		},
	}, nil
}

// Translate follows the plan until every segment has an acceptable translation, or the plan is used up.
func (m *model) Translate(ctx context.Context, r Request) (Result, error) {
	j := newJob(m, r)
	result := Result{Provider: m.Name(), Model: m.first.Model()}
	for round, a := range m.plan {
		if len(j.pending) == 0 {
			break
		}
		if a.parts == 1 && round > 0 && m.fallback != nil && j.allRefused() {
			continue // both models have refused exactly this batch
		}
		for chunk := range slices.Chunk(slices.Clone(j.pending), a.chunk(len(j.pending))) {
			if err := m.translate(ctx, j, chunk, a, round, &result); err != nil {
				return Result{}, err
			}
		}
		j.cool()
		if len(j.pending) > 0 {
			m.log.DebugContext(ctx, "no fit translations yet", "page", r.Page.String(), "round", round, "defects", j.counts())
		}
	}
	if len(j.pending) > 0 {
		m.log.WarnContext(ctx, "regions are left untranslated", "page", r.Page.String(), "regions", len(j.pending), "defects", j.counts())
	}
	result.Translations = j.result()
	return result, nil
}

// translate asks for the segments of a chunk, and next asks the fallback model when the first refuses the content or its circuit is open.
func (m *model) translate(ctx context.Context, j *job, chunk []int, a attempt, round int, result *Result) error {
	if !a.fallback {
		answer, err := m.ask(ctx, m.first, j, chunk, m.sample(j, a, round), result)
		switch {
		case m.fallback != nil && provider.IsOpen(err): // the first model has been unavailable for a while
		case err != nil:
			return err
		default:
			if refused := j.take(chunk, answer); !refused || m.fallback == nil {
				return nil
			}
		}
	}
	answer, err := m.ask(ctx, m.fallback, j, chunk, m.sample(j, a, round), result)
	if core.CodeOf(err) == core.CodeTranslatorRefused {
		// The page can do without the fallback model, but the operator should be informed.
		m.log.WarnContext(ctx, "the fallback model is not available", "provider", m.fallback.Name(), "model", m.fallback.Model(), "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	j.take(chunk, answer)
	return nil
}

// sample distinguishes the calls of a round from earlier ones.
func (m *model) sample(j *job, a attempt, round int) sample {
	return sample{number: round, temperature: m.config.temperature(min(a.heat, j.spoiled))}
}

type sample struct {
	number      int
	temperature float64
}

// temperature adds 0.2 for each step of heat, up to 1 or to the initial temperature if that is higher.
func (c Config) temperature(heat int) float64 {
	t := min(c.Temperature+0.2*float64(heat), max(c.Temperature, 1))
	// Rounding removes floating-point noise, which would change the key of a call.
	return math.Round(t*100) / 100
}
