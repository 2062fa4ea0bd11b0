package main

import (
	"context"
	"log/slog"

	"plait/internal/blob"
	"plait/internal/config"
	"plait/internal/pipeline"
	"plait/internal/translate"
	"plait/internal/translate/provider"
	"plait/internal/translate/script"
)

// defaultModels are taken when the configuration names a provider but no model.
var defaultModels = map[string]string{"gemini": "gemini-3-flash-preview", "openai": "gpt-5-mini"}

// translatorFunc finds the translator of a task.
type translatorFunc func(ctx context.Context, o pipeline.Options) (translate.Translator, error)

// newTranslators answers a task's script, and for every other task the configured translator. A server on loopback is
// looked for at each page that needs one, so that a person may start Ollama after Plait.
func newTranslators(l *config.Loaded, ledger translate.Ledger, blobs blob.Store, log *slog.Logger) translatorFunc {
	return func(ctx context.Context, o pipeline.Options) (translate.Translator, error) {
		if o.Translator == pipeline.TranslatorScript {
			b, err := blobs.Read(ctx, o.Script, int64(l.Limits.MaxPageBytes))
			if err != nil {
				return nil, err
			}
			f, err := script.Parse(b)
			if err != nil {
				return nil, err
			}
			return translate.FromScript(f, log), nil
		}
		p, ok := chooseProvider(ctx, l.Translator)
		if !ok {
			return nil, pipeline.NewError(pipeline.CodeTranslatorMissing, "no translator is configured, and none answers on this machine")
		}
		if o.Translator != "" && o.Translator != p.Kind {
			return nil, pipeline.Errorf(pipeline.CodeTranslatorMissing, "translator %q is not configured; %s is", o.Translator, p.Kind)
		}
		return newModelTranslator(l.Translator, p, ledger, log)
	}
}

func newModelTranslator(t config.Translator, p provider.Config, ledger translate.Ledger, log *slog.Logger) (translate.Translator, error) {
	return translate.New(translate.Config{
		Provider: p, Temperature: t.Temperature, TopP: t.TopP, MaxTokens: t.MaxTokens,
		Prices: map[string]translate.Price{p.Model: {Input: t.InputPrice, Output: t.OutputPrice}},
	}, ledger, log)
}

// chooseProvider is the provider that the configuration names; with "auto" the one whose key or address is given, else
// a server found on loopback.
func chooseProvider(ctx context.Context, t config.Translator) (provider.Config, bool) {
	p := provider.Config{Kind: t.Provider, BaseURL: t.BaseURL, Model: t.Model, Timeout: t.Timeout, Proxy: t.Proxy, Headers: t.Headers}
	if p.Kind == "auto" {
		switch {
		case t.BaseURL != "" || t.OpenAIKey != "":
			p.Kind = "openai"
		case t.GeminiKey != "":
			p.Kind = "gemini"
		default:
			found, ok := provider.Discover(ctx, provider.Loopback{})
			if ok && t.Model != "" {
				found.Model = t.Model
			}
			found.Timeout = t.Timeout
			return found, ok
		}
	}
	p.Key = t.OpenAIKey
	if p.Kind == "gemini" {
		p.Key = t.GeminiKey
	}
	if p.Model == "" && t.BaseURL == "" {
		p.Model = defaultModels[p.Kind]
	}
	return p, true
}
