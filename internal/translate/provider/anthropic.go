package provider

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

// anthropicTokens bounds an answer when the configuration does not, because the protocol requires a bound.
const anthropicTokens = 8192

// claude implements Anthropic's messages protocol. Some of its models accept no sampling parameters; claude learns which ones from a
// refusal, and remembers it.
type claude struct {
	*caller
	client     anthropic.Client
	noSampling atomic.Bool
}

func newAnthropic(c *caller) *claude {
	return &claude{caller: c, client: anthropic.NewClient(
		option.WithoutEnvironmentDefaults(), option.WithAPIKey(c.config.Key), option.WithBaseURL(c.config.BaseURL),
		option.WithHTTPClient(c.http), option.WithMaxRetries(0),
	)}
}

// Complete makes one call; after a refusal of the temperature it makes one without it.
func (a *claude) Complete(ctx context.Context, p Prompt) (Completion, error) {
	return a.call(ctx, func(ctx context.Context) (Completion, error) {
		sampled := !a.noSampling.Load()
		message, err := a.client.Messages.New(ctx, a.request(p, sampled))
		var u unsupportedError
		if sampled && errors.As(err, &u) {
			a.noSampling.Store(true)
			message, err = a.client.Messages.New(ctx, a.request(p, false))
		}
		if err != nil {
			return Completion{}, err
		}
		return a.completion(message), nil
	})
}

// request has a temperature, 0..1, and no top_p: Anthropic asks callers to set only one of the two.
func (a *claude) request(p Prompt, sampled bool) anthropic.MessageNewParams {
	r := anthropic.MessageNewParams{
		Model: a.config.Model, MaxTokens: int64(p.MaxTokens), System: []anthropic.TextBlockParam{{Text: p.System}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(p.User))},
	}
	if p.MaxTokens <= 0 {
		r.MaxTokens = anthropicTokens
	}
	if sampled {
		r.Temperature = anthropic.Float(min(p.Temperature, 1))
	}
	return r
}

func (a *claude) completion(m *anthropic.Message) Completion {
	c := Completion{FinishReason: FinishStop, Model: m.Model}
	switch m.StopReason {
	case anthropic.StopReasonRefusal:
		c.FinishReason = FinishRefused
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		c.FinishReason = FinishLength
	default:
	}
	var text strings.Builder
	for _, block := range m.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	c.Text = text.String()
	c.InputTokens = int(m.Usage.InputTokens + m.Usage.CacheCreationInputTokens + m.Usage.CacheReadInputTokens)
	c.OutputTokens = int(m.Usage.OutputTokens)
	return c
}
