package provider

import (
	"context"
	"log/slog"
	"time"
)

// Provider completes prompts with one model at one endpoint. It is safe for concurrent use and never retries.
type Provider interface {
	// Complete makes one call. When the provider's filter stops content, the result is a completion with FinishRefused, which is an answer
	// but no translation. It fails with CodeTranslatorRefused (key, model or request), CodeTranslatorRateLimited,
	// CodeTranslatorUnavailable, each with RetryAfter if the provider gave it, or with the error of ctx. No error contains the key or any
	// text of the prompt or the reply.
	Complete(ctx context.Context, p Prompt) (Completion, error)
	// Name is the kind of provider.
	Name() string
	// Model is the requested model.
	Model() string
	// Endpoint is the base address, without user, query or key.
	Endpoint() string
}

// Prompt is one question to a model.
type Prompt struct {
	System, User string
	// Temperature is 0..2. It is not sent to a model that does not support one.
	Temperature float64
	// TopP is 0..1; 0 means the provider's default.
	TopP float64
	// MaxTokens bounds the reply; 0 means the provider's default.
	MaxTokens int
	// Schema requests JSON of SegmentsSchema instead of numbered lines, if the provider can enforce a schema.
	Schema bool
	// Segments, From, To and Context are the parts of the question, for a provider that is not a chat: the texts of User in order, BCP 47
	// tags, and the preceding texts.
	Segments []string
	From, To string
	Context  string
}

// SegmentsSchema is the JSON schema of an answer: {"segments": [{"number": 1, "text": "…"}]}.
const SegmentsSchema = `{"type":"object","properties":{"segments":{"type":"array","items":{"type":"object",` +
	`"properties":{"number":{"type":"integer"},"text":{"type":"string"}},"required":["number","text"],"additionalProperties":false}}},` +
	`"required":["segments"],"additionalProperties":false}`

// FinishReason is the reason why a model stopped.
type FinishReason string

// The reasons. The text of a refused completion is empty, even if the filter returned a part of it.
const (
	FinishStop    FinishReason = "stop"
	FinishLength  FinishReason = "length"
	FinishRefused FinishReason = "content_filter"
)

// Completion is a model's reply.
type Completion struct {
	Text string
	// InputTokens and OutputTokens are the provider's usage; both are 0 when it reported none.
	InputTokens, OutputTokens int
	FinishReason              FinishReason
	// Model is the provider's own name of the model that answered.
	Model string
}

// The kinds of providers.
const (
	// OpenAI is any server of the OpenAI chat completions protocol.
	OpenAI = "openai"
	// Ollama is OpenAI with the address of a local Ollama as its default.
	Ollama = "ollama"
	// Gemini is Google's generateContent protocol.
	Gemini = "gemini"
	// Anthropic is Anthropic's messages protocol.
	Anthropic = "anthropic"
	// DeepL is DeepL's translation protocol.
	DeepL = "deepl"
)

// Kinds returns all kinds.
func Kinds() []string { return []string{OpenAI, Ollama, Gemini, Anthropic, DeepL} }

// Config determines the model to call, and how to call it.
type Config struct {
	// Kind is one of Kinds.
	Kind string
	// BaseURL is the address to which "/chat/completions" (OpenAI, Ollama), "/v1beta/models/…" (Gemini), "/v1/messages" (Anthropic) or
	// "/v2/translate" (DeepL) is appended; empty for the provider's own, or for Ollama http://127.0.0.1:11434/v1.
	BaseURL string
	// Key is the API key; local servers need none.
	Key string
	// Model is the name of the model; required except for DeepL, which has none.
	Model string
	// Timeout bounds one call as a whole; 0 is DefaultTimeout.
	Timeout time.Duration
	// Proxy is the address of an HTTP, HTTPS or SOCKS5 proxy; empty means that of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Proxy string
	// Headers are added to every request.
	Headers map[string]string
	// MaxResponseBytes bounds a response; 0 means DefaultMaxResponseBytes.
	MaxResponseBytes int64
}

// Bounds of a call.
const (
	// DefaultTimeout is the time-out in the split contract.
	DefaultTimeout = 120 * time.Second
	// DefaultMaxResponseBytes is some hundred times the reply for a full page, reasoning included.
	DefaultMaxResponseBytes = 4 << 20
	// MaxUsageTokens is the largest usage of a call that is plausible: several times the largest context window on the market.
	MaxUsageTokens = 10_000_000
)

// String names provider, model and endpoint, without the key and the headers.
func (c Config) String() string { return c.Kind + " " + c.Model + " " + endpoint(c.BaseURL) }

// GoString equals String, so that %#v does not show the key either.
func (c Config) GoString() string { return c.String() }

// LogValue contains provider, model and endpoint.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(slog.String("provider", c.Kind), slog.String("model", c.Model), slog.String("endpoint", endpoint(c.BaseURL)))
}
