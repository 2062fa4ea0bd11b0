package translators

import (
	"context"
	"log/slog"
	"strings"

	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// The default models when the configuration names a provider and no model.
var (
	defaultModels    = map[string]string{provider.Gemini: "gemini-3-flash-preview", provider.OpenAI: "gpt-5-mini", provider.Anthropic: "claude-haiku-4-5", provider.DeepL: provider.DeepL}
	defaultFallbacks = map[string]string{provider.Gemini: "gemini-2.5-flash"}
)

// noFallback is the setting that disables the fallback model.
const noFallback = "none"

func open(
	t config.Translator, p provider.Config, accounts Accounts, observer translate.Observer, countTokens func(string) int, log *slog.Logger,
) (translate.Translator, error) {
	fallback, err := fallbackOf(t, p)
	if err != nil {
		return nil, err
	}
	prices, err := pricesOf(t)
	if err != nil {
		return nil, err
	}
	prompts, err := translate.LoadPrompts(t.Domain, t.PromptsDir)
	if err != nil {
		return nil, err
	}
	retries := t.Retries
	if retries == 0 {
		retries = -1
	}
	return translate.New(translate.Config{
		Provider: p, Fallback: fallback, Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens,
		Retries: retries, RepetitionThreshold: t.RepetitionThreshold,
		Prompts: prompts, Schema: asJSON(t.Format, p),
		Prices: prices, Count: countTokens,
		CircuitFailures: t.CircuitFailures, CircuitPause: t.CircuitPause,
		Limits:  ledger.Limits{Requests: t.RequestsPerMinute, Tokens: t.TokensPerMinute},
		Budgets: accounts, Observer: observer,
	}, accounts, log)
}

// discover finds a model server on this machine. If the configuration names a model, the server must use that one.
func discover(ctx context.Context, t config.Translator) (provider.Config, bool) {
	found, ok := provider.Discover(ctx, provider.Loopback{Timeout: probeTimeout})
	if ok && t.Model != "" {
		found.Model = t.Model
	}
	found.Timeout = t.Timeout
	return found, ok
}

// choose returns the provider that the task names, or else the configured one; with "auto", the one whose key or address is set. It
// returns nil when none is set and a server on loopback has to be discovered.
func choose(t config.Translator, named string) (*provider.Config, error) {
	kind := t.Provider
	switch {
	case kind == "auto" && (t.BaseURL != "" || t.OpenAIKey != ""):
		kind = provider.OpenAI
	case kind == "auto" && t.GeminiKey != "":
		kind = provider.Gemini
	case kind == "auto" && t.AnthropicKey != "":
		kind = provider.Anthropic
	case kind == "auto" && t.DeepLKey != "":
		kind = provider.DeepL
	}
	model := t.Model
	if named != "" && named != kind {
		kind, model = named, "" // the configured model belongs to the configured provider
	}
	if kind == "auto" {
		return nil, nil
	}
	p, err := providerOf(t, kind)
	if err != nil {
		return nil, err
	}
	if p.Model = model; model == "" && p.BaseURL == "" {
		p.Model = defaultModels[kind]
	}
	return &p, nil
}

// fallbackOf returns the model that is asked when the first one fails; nil means none.
func fallbackOf(t config.Translator, first provider.Config) (*provider.Config, error) {
	switch {
	case t.FallbackModel == noFallback:
		return nil, nil
	case t.FallbackModel == "":
		model := defaultFallbacks[first.Kind]
		if model == "" || first.Model == model || first.BaseURL != "" {
			return nil, nil
		}
		first.Model = model
		return &first, nil
	case t.FallbackProvider == "" || t.FallbackProvider == first.Kind:
		first.Model = t.FallbackModel
		return &first, nil
	}
	p, err := providerOf(t, t.FallbackProvider)
	p.Model = t.FallbackModel
	return &p, err
}

// providerOf returns the configuration of a provider of that kind, without the model.
func providerOf(t config.Translator, kind string) (provider.Config, error) {
	p := provider.Config{Kind: kind, Timeout: t.Timeout, Proxy: t.Proxy, Headers: t.Headers}
	switch kind {
	case provider.OpenAI, provider.Ollama:
		p.BaseURL, p.Key = t.BaseURL, t.OpenAIKey
	case provider.Gemini:
		p.Key = t.GeminiKey
	case provider.Anthropic:
		p.Key = t.AnthropicKey
	case provider.DeepL:
		p.Key = t.DeepLKey
	default:
		return p, core.Errorf(core.CodeTranslatorMissing, "translator %q is not known; known are %s and script", kind, strings.Join(provider.Kinds(), ", "))
	}
	return p, nil
}

// UntranslatedKinds returns the kinds of regions that are not sent to models, and that a script may omit.
func UntranslatedKinds(t config.Translator) comic.RegionKinds {
	var kinds comic.RegionKinds
	if !t.Effects {
		kinds = append(kinds, comic.KindEffect)
	}
	if !t.Furniture {
		kinds = append(kinds, comic.KindFurniture)
	}
	return kinds
}

// asJSON reports whether answers are requested as JSON. By default they are for providers that enforce a schema.
func asJSON(format string, p provider.Config) bool {
	if format == "auto" {
		return p.BaseURL == "" && (p.Kind == provider.OpenAI || p.Kind == provider.Gemini)
	}
	return format == "json"
}
