package provider

import (
	"net/url"
	"strings"

	"plait/internal/core"
)

// The default addresses.
const (
	openAIAddress = "https://api.openai.com/v1"
	ollamaAddress = "http://127.0.0.1:11434/v1"
	geminiAddress = "https://generativelanguage.googleapis.com"

	anthropicAddress = "https://api.anthropic.com"
	deepLAddress     = "https://api.deepl.com"
	deepLFreeAddress = "https://api-free.deepl.com"
)

// addresses are the addresses of the providers themselves, by kind.
var addresses = map[string]string{
	OpenAI: openAIAddress, Ollama: ollamaAddress, Gemini: geminiAddress, Anthropic: anthropicAddress, DeepL: deepLAddress,
}

// ownAddress returns the own address of the provider of c, empty for an unknown kind.
func ownAddress(c Config) string {
	if c.Kind == DeepL && strings.HasSuffix(c.Key, freeKey) {
		return deepLFreeAddress
	}
	return addresses[c.Kind]
}

// Open makes the provider of c. It makes no call. It fails with CodeTranslatorMissing when the kind is unknown, or when a required model
// or key is not set, and with CodeInvalidInput for an invalid address.
func Open(c Config) (Provider, error) {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxResponseBytes <= 0 {
		c.MaxResponseBytes = DefaultMaxResponseBytes
	}
	own := ownAddress(c)
	if own == "" {
		return nil, core.Errorf(core.CodeTranslatorMissing, "translator %q is not known; known are %s", c.Kind, strings.Join(Kinds(), ", "))
	}
	if c.Kind == DeepL {
		c.Model = deepLModel
	}
	if c.Model == "" {
		return nil, core.Errorf(core.CodeTranslatorMissing, "translator %s has no model set", c.Kind)
	}
	if c.Key == "" && (c.Kind == OpenAI && c.BaseURL == "" || c.Kind != OpenAI && c.Kind != Ollama) {
		return nil, core.Errorf(core.CodeTranslatorMissing, "translator %s has no key set", c.Kind)
	}
	if c.BaseURL == "" {
		c.BaseURL = own
	}
	if u, err := url.Parse(c.BaseURL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, core.NewError(core.CodeInvalidInput, "the translator's address is not a URL such as http://host:port/v1")
	}
	caller, err := newCaller(c)
	if err != nil {
		return nil, err
	}
	switch c.Kind {
	case Gemini:
		return newGemini(caller)
	case Anthropic:
		return newAnthropic(caller), nil
	case DeepL:
		return &deepL{caller}, nil
	default:
		return newOpenAI(caller), nil
	}
}
