package provider

import (
	"net/url"

	"plait/internal/pipeline"
)

// The default addresses.
const (
	openAIAddress = "https://api.openai.com/v1"
	ollamaAddress = "http://127.0.0.1:11434/v1"
	geminiAddress = "https://generativelanguage.googleapis.com"
)

// Open makes the provider of c. It makes no call. It fails with CodeTranslatorMissing when the kind is unknown, or when
// the model or the key that the provider needs is not set, and with CodeInvalidInput for an address that is none.
func Open(c Config) (Provider, error) {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxResponseBytes <= 0 {
		c.MaxResponseBytes = DefaultMaxResponseBytes
	}
	own := map[string]string{OpenAI: openAIAddress, Ollama: ollamaAddress, Gemini: geminiAddress}[c.Kind]
	if own == "" {
		return nil, pipeline.Errorf(pipeline.CodeTranslatorMissing, "translator %q is not known; known are %s, %s and %s", c.Kind, OpenAI, Ollama, Gemini)
	}
	if c.Model == "" {
		return nil, pipeline.Errorf(pipeline.CodeTranslatorMissing, "translator %s has no model set", c.Kind)
	}
	if c.Key == "" && (c.Kind == Gemini || c.Kind == OpenAI && c.BaseURL == "") {
		return nil, pipeline.Errorf(pipeline.CodeTranslatorMissing, "translator %s has no key set", c.Kind)
	}
	if c.BaseURL == "" {
		c.BaseURL = own
	}
	if u, err := url.Parse(c.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, pipeline.NewError(pipeline.CodeInvalidInput, "the translator's address is not a URL such as http://host:port/v1")
	}
	caller, err := newCaller(c)
	if err != nil {
		return nil, err
	}
	if c.Kind == Gemini {
		return newGemini(caller)
	}
	return newOpenAI(caller), nil
}
