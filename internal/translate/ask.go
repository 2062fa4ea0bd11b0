package translate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"plait/internal/pipeline"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// params are what shapes an answer beside model and prompt. Its JSON is part of the key of a call: fields stay as they are.
type params struct {
	Endpoint    string  `json:"endpoint"`
	Temperature float64 `json:"temperature"`
	TopP        float64 `json:"top_p"`
	MaxTokens   int     `json:"max_tokens"`
	// Sample tells apart calls that are otherwise alike, when the first answer was not fit.
	Sample int `json:"sample"`
}

// ask takes the recorded answer for the segments, or makes the call and records it.
func (m *model) ask(ctx context.Context, j *job, chunk []int, round int) (answer ledger.Answer, reused bool, err error) {
	prompt, question, err := m.question(j, chunk, round)
	if err != nil {
		return ledger.Answer{}, false, err
	}
	key := question.Key()
	answer, reused, err = m.ledger.LookupCall(ctx, key)
	if err != nil {
		return ledger.Answer{}, false, fmt.Errorf("look up a model call: %w", err)
	}
	if reused {
		return answer, true, nil
	}
	answer, err = m.call(ctx, prompt, ledger.Call{
		Key: key, Tenant: question.Tenant, TaskID: j.request.Page.TaskID, Page: j.request.Page.Index,
		Provider: question.Provider, Model: question.Model, Params: question.Params,
	})
	return answer, false, err
}

func (m *model) question(j *job, chunk []int, round int) (provider.Prompt, ledger.Question, error) {
	system, user := j.prompt(chunk)
	prompt := provider.Prompt{
		System: system, User: user,
		Temperature: m.config.temperature(round), TopP: m.config.TopP, MaxTokens: m.config.MaxTokens,
	}
	encoded, err := json.Marshal(params{
		Endpoint: m.provider.Endpoint(), Temperature: prompt.Temperature, TopP: prompt.TopP, MaxTokens: prompt.MaxTokens, Sample: round,
	})
	if err != nil {
		return prompt, ledger.Question{}, fmt.Errorf("encode the parameters of a model call: %w", err)
	}
	return prompt, ledger.Question{
		Provider: m.Name(), Model: m.provider.Model(), Params: string(encoded),
		Prompt: system + "\x00" + user, // no text holds a control character
		Tenant: j.request.Page.Tenant,
	}, nil
}

// call makes the call, and records it before it returns, failed or not.
func (m *model) call(ctx context.Context, prompt provider.Prompt, c ledger.Call) (ledger.Answer, error) {
	c.StartedAt = time.Now()
	completion, err := m.provider.Complete(ctx, prompt)
	c.Latency = time.Since(c.StartedAt)
	if err != nil {
		c.Outcome = string(pipeline.CodeOf(err))
		if lost := m.tryRecord(context.WithoutCancel(ctx), c); lost != nil {
			m.log.WarnContext(ctx, "a failed model call is not in the ledger", "outcome", c.Outcome, "error", lost)
		}
		return ledger.Answer{}, err
	}
	c.Outcome = ledger.OutcomeOK
	c.Answer = ledger.Answer{
		Text: completion.Text, Model: completion.Model, FinishReason: string(completion.FinishReason),
		InputTokens: completion.InputTokens, OutputTokens: completion.OutputTokens,
	}
	if c.Answer.InputTokens == 0 && c.Answer.OutputTokens == 0 {
		c.TokensEstimated = true
		c.Answer.InputTokens = estimateTokens(prompt.System) + estimateTokens(prompt.User)
		c.Answer.OutputTokens = estimateTokens(completion.Text)
	}
	c.CostMicros = m.config.micros(c.Model, c.Answer.InputTokens, c.Answer.OutputTokens)
	if err := m.record(ctx, c); err != nil {
		return ledger.Answer{}, err
	}
	m.log.DebugContext(ctx, "model call", "provider", c.Provider, "model", c.Model, "latency", c.Latency,
		"input_tokens", c.Answer.InputTokens, "output_tokens", c.Answer.OutputTokens)
	return c.Answer, nil
}
