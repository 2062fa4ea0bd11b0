package provider

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"sync/atomic"

	"github.com/sashabaranov/go-openai"
)

// openAI implements the chat completions protocol. Reasoning models accept no sampling parameters, and use another name for the bound on
// tokens. No list of these models exists, so openAI learns it from a refusal, and remembers it.
type openAI struct {
	*caller
	client       *openai.Client
	noSampling   atomic.Bool
	newMaxTokens atomic.Bool
	noSchema     atomic.Bool
}

func newOpenAI(c *caller) *openAI {
	config := openai.DefaultConfig(c.config.Key)
	config.BaseURL = c.config.BaseURL
	config.HTTPClient = c.http
	return &openAI{caller: c, client: openai.NewClientWithConfig(config)}
}

// Complete makes one call; after a refusal of a parameter it makes another one without it.
func (o *openAI) Complete(ctx context.Context, p Prompt) (Completion, error) {
	return o.call(ctx, func(ctx context.Context) (Completion, error) {
		for {
			sent := o.request(p)
			response, err := o.client.CreateChatCompletion(ctx, sent)
			if err == nil {
				return o.completion(response)
			}
			if !o.learn(err, sent) {
				return Completion{}, err
			}
		}
	})
}

func (o *openAI) request(p Prompt) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{
		Model: o.config.Model,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: p.System},
			{Role: openai.ChatMessageRoleUser, Content: p.User},
		},
	}
	if !o.noSampling.Load() {
		// The client omits a zero, which would mean the provider's default.
		r.Temperature = max(float32(p.Temperature), math.SmallestNonzeroFloat32)
		r.TopP = float32(p.TopP)
	}
	if p.Schema && !o.noSchema.Load() {
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: "translation", Schema: json.RawMessage(SegmentsSchema), Strict: true,
			},
		}
	}
	if o.newMaxTokens.Load() {
		r.MaxCompletionTokens = p.MaxTokens
	} else {
		r.MaxTokens = p.MaxTokens //nolint:staticcheck // the only name that most compatible servers support
	}
	return r
}

// learn reports whether err refuses a parameter that was sent, and disables that parameter from now on. The client knows some models by
// name and refuses before it sends anything.
func (o *openAI) learn(err error, sent openai.ChatCompletionRequest) bool {
	var u unsupportedError
	errors.As(err, &u)
	switch {
	case u.parameter == "temperature" || u.parameter == "top_p" ||
		errors.Is(err, openai.ErrReasoningModelLimitationsOther) || errors.Is(err, openai.ErrReasoningSamplingUnsupported):
		o.noSampling.Store(true)
		return sent.Temperature != 0
	case u.parameter == "response_format":
		o.noSchema.Store(true)
		return sent.ResponseFormat != nil
	case u.parameter == "max_tokens" || errors.Is(err, openai.ErrReasoningModelMaxTokensDeprecated):
		o.newMaxTokens.Store(true)
		return sent.MaxTokens != 0 //nolint:staticcheck // as above
	}
	return false
}

func (o *openAI) completion(r openai.ChatCompletionResponse) (Completion, error) {
	if len(r.Choices) == 0 {
		return Completion{}, errors.New("no choices")
	}
	choice := r.Choices[0]
	c := Completion{
		Text:         choice.Message.Content,
		InputTokens:  r.Usage.PromptTokens,
		OutputTokens: r.Usage.CompletionTokens,
		FinishReason: FinishStop,
		Model:        r.Model,
	}
	switch {
	case choice.FinishReason == openai.FinishReasonContentFilter || choice.Message.Refusal != "":
		c.FinishReason = FinishRefused
	case choice.FinishReason == openai.FinishReasonLength:
		c.FinishReason = FinishLength
	}
	return c, nil
}
