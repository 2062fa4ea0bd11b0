package translate

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"plait/internal/core"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// params are the parameters of an answer other than model and prompt. Their JSON is part of the key of a call: the fields must not change.
type params struct {
	Endpoint    string  `json:"endpoint"`
	Temperature float64 `json:"temperature"`
	TopP        float64 `json:"top_p"`
	MaxTokens   int     `json:"max_tokens"`
	// Sample distinguishes calls that are otherwise equal, when the first answer was not acceptable.
	Sample int `json:"sample"`
}

// ask returns the recorded answer of p for the segments, or makes the call and records it. It counts the answer in result.
func (m *model) ask(ctx context.Context, p *asked, j *job, chunk []int, s sample, result *Result) (ledger.Answer, error) {
	prompt, question, err := m.question(p, j, chunk, s)
	if err != nil {
		return ledger.Answer{}, err
	}
	if slot := j.request.Slot; slot != nil {
		if err := slot.Regain(ctx); err != nil {
			return ledger.Answer{}, err
		}
	}
	key := question.Key()
	answer, reused, err := m.ledger.LookupCall(ctx, key)
	if err != nil {
		return ledger.Answer{}, fmt.Errorf("look up a model call: %w", err)
	}
	if reused {
		result.Reused++
		return answer, nil
	}
	answer, err = m.call(ctx, p, j.request.Slot, prompt, ledger.Call{
		Key: key, Tenant: question.Tenant, TaskID: j.request.Page.TaskID, Page: j.request.Page.Index,
		Provider: question.Provider, Model: question.Model, Params: question.Params,
	})
	if err == nil {
		result.Paid++
	}
	return answer, err
}

func (m *model) question(p *asked, j *job, chunk []int, s sample) (provider.Prompt, ledger.Question, error) {
	system, user := j.prompt(chunk)
	prompt := provider.Prompt{
		System: system, User: user,
		Temperature: s.temperature, TopP: m.config.TopP, MaxTokens: m.config.MaxTokens, Schema: m.config.Schema,
		From: j.request.From, To: j.request.To, Context: j.page.said(),
	}
	for _, i := range chunk {
		prompt.Segments = append(prompt.Segments, j.sources[i])
	}
	encoded, err := json.Marshal(params{
		Endpoint: p.Endpoint(), Temperature: prompt.Temperature, TopP: prompt.TopP, MaxTokens: prompt.MaxTokens, Sample: s.number,
	})
	if err != nil {
		return prompt, ledger.Question{}, fmt.Errorf("encode the parameters of a model call: %w", err)
	}
	return prompt, ledger.Question{
		Provider: p.Name(), Model: p.Model(), Params: string(encoded),
		Prompt: system + "\x00" + user, // no text contains a control character
		Tenant: j.request.Page.Tenant,
	}, nil
}

// call makes the call, and records it before it returns, whether it succeeded or failed.
func (m *model) call(ctx context.Context, p *asked, slot Slot, prompt provider.Prompt, c ledger.Call) (ledger.Answer, error) {
	expected := CountCharacters(prompt.System) + 2*CountCharacters(prompt.User)
	settle, err := p.budget.reserve(ctx, p.Name(), expected)
	if err != nil {
		return ledger.Answer{}, err
	}
	calling, endSpan := traced(ctx, c)
	defer func() { endSpan(c) }()
	c.StartedAt = time.Now()
	completion, err := p.Complete(calling, prompt)
	c.Latency = time.Since(c.StartedAt)
	if provider.IsOpen(err) { // no call was made
		settle(ctx, 0)
		return ledger.Answer{}, err
	}
	if err != nil {
		c.Outcome = string(core.CodeOf(err))
		m.observe(c)
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
	if c.Answer.InputTokens == 0 && c.Answer.OutputTokens == 0 && completion.FinishReason != provider.FinishRefused {
		c.TokensEstimated = true
		c.Answer.InputTokens = m.config.Count(prompt.System) + m.config.Count(prompt.User)
		c.Answer.OutputTokens = m.config.Count(completion.Text)
	}
	c.CostMicros = m.config.micros(c.Model, c.Answer.InputTokens, c.Answer.OutputTokens)
	m.observe(c)
	if err := m.record(ctx, slot, c); err != nil {
		return ledger.Answer{}, err
	}
	settle(ctx, c.Answer.InputTokens+c.Answer.OutputTokens)
	m.log.DebugContext(ctx, "model call", "provider", c.Provider, "model", c.Model, "latency", c.Latency,
		"input_tokens", c.Answer.InputTokens, "output_tokens", c.Answer.OutputTokens)
	return c.Answer, nil
}

func (m *model) observe(c ledger.Call) {
	if m.config.Observer != nil {
		m.config.Observer.Called(c)
	}
}
