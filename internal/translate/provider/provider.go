package provider

import (
	"context"
	"log/slog"
	"time"
)

// Provider completes prompts with one model at one endpoint. It is safe for concurrent use and never retries.
type Provider interface {
	// Complete makes one call. Content that the provider's filter stops is a completion with FinishRefused: an answer, if no
	// translation. It fails with CodeTranslatorRefused (key, model or request),
	// CodeTranslatorRateLimited, CodeTranslatorUnavailable, each with RetryAfter where the provider gave it, or with the
	// error of ctx. No error holds the key or any text of the prompt or the reply.
	Complete(ctx context.Context, p Prompt) (Completion, error)
	// Name is the kind of provider.
	Name() string
	// Model is the model that is asked for.
	Model() string
	// Endpoint is the base address, without user, query or key.
	Endpoint() string
}

// Prompt is one question to a model.
type Prompt struct {
	System, User string
	// Temperature is 0..2. A model that takes no temperature is asked without.
	Temperature float64
	// TopP is 0..1; 0 leaves it to the provider.
	TopP float64
	// MaxTokens bounds the reply; 0 leaves it to the provider.
	MaxTokens int
	// Schema asks for JSON of SegmentsSchema in place of numbered lines, where the provider can hold a model to it.
	Schema bool
	// Segments, From, To and Context are the question in parts, for a provider that is no chat: the texts of User in their
	// order, BCP 47 tags, and what was said before.
	Segments []string
	From, To string
	Context  string
}

// SegmentsSchema is the JSON schema of an answer: {"segments": [{"number": 1, "text": "…"}]}.
const SegmentsSchema = `{"type":"object","properties":{"segments":{"type":"array","items":{"type":"object",` +
	`"properties":{"number":{"type":"integer"},"text":{"type":"string"}},"required":["number","text"],"additionalProperties":false}}},` +
	`"required":["segments"],"additionalProperties":false}`

// FinishReason says why a model stopped.
type FinishReason string

// The reasons. The text of a refused completion is empty, whatever the filter let through.
const (
	FinishStop    FinishReason = "stop"
	FinishLength  FinishReason = "length"
	FinishRefused FinishReason = "content_filter"
)

// Completion is a model's reply.
type Completion struct {
	Text string
	// InputTokens and OutputTokens are the provider's usage; both 0 when it gave none.
	InputTokens, OutputTokens int
	FinishReason              FinishReason
	// Model is the model that answered, by the provider's own name.
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

// Kinds are all kinds.
func Kinds() []string { return []string{OpenAI, Ollama, Gemini, Anthropic, DeepL} }

// Config says which model is asked, and how.
type Config struct {
	// Kind is one of Kinds.
	Kind string
	// BaseURL is the address that "/chat/completions" (OpenAI, Ollama), "/v1beta/models/…" (Gemini), "/v1/messages" (Anthropic)
	// or "/v2/translate" (DeepL) is added to; empty for the provider's own, or for Ollama http://127.0.0.1:11434/v1.
	BaseURL string
	// Key is the API key; local servers need none.
	Key string
	// Model is the name of the model; required, but for DeepL, which has none.
	Model string
	// Timeout bounds one call as a whole; 0 is DefaultTimeout.
	Timeout time.Duration
	// Proxy is the address of an HTTP, HTTPS or SOCKS5 proxy; empty takes HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
	Proxy string
	// Headers are added to every request.
	Headers map[string]string
	// MaxResponseBytes bounds a response; 0 is DefaultMaxResponseBytes.
	MaxResponseBytes int64
}

// Bounds of a call.
const (
	// DefaultTimeout is that of the split contract.
	DefaultTimeout = 120 * time.Second
	// DefaultMaxResponseBytes is some hundred times the reply for a full page, reasoning included.
	DefaultMaxResponseBytes = 4 << 20
	// MaxUsageTokens is the most that a call can take: several times the largest context window that is sold.
	MaxUsageTokens = 10_000_000
)

// String names provider, model and endpoint; the key and the headers stay out of it.
func (c Config) String() string { return c.Kind + " " + c.Model + " " + endpoint(c.BaseURL) }

// GoString is String, so that %#v does not show the key either.
func (c Config) GoString() string { return c.String() }

// LogValue is provider, model and endpoint.
func (c Config) LogValue() slog.Value {
	return slog.GroupValue(slog.String("provider", c.Kind), slog.String("model", c.Model), slog.String("endpoint", endpoint(c.BaseURL)))
}
