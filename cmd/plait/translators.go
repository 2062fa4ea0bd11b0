package main

import (
	"context"
	"log/slog"
	"reflect"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"plait/internal/blob"
	"plait/internal/config"
	"plait/internal/pipeline"
	"plait/internal/translate"
	"plait/internal/translate/provider"
	"plait/internal/translate/script"
)

// defaultModels are taken when the configuration names a provider but no model.
var defaultModels = map[string]string{"gemini": "gemini-3-flash-preview", "openai": "gpt-5-mini"}

// keptScripts is how many parsed scripts a worker keeps: one for each chapter that it works on at a time.
const keptScripts = 16

// translators finds the translator of a task. It keeps what it made: a script is read once a chapter, and the
// connections of a model's client serve every page.
type translators struct {
	config  *config.Loaded
	ledger  translate.Ledger
	blobs   blob.Store
	log     *slog.Logger
	scripts *lru.Cache[pipeline.BlobRef, translate.Translator]

	mu       sync.Mutex
	provider provider.Config
	model    translate.Translator
}

func newTranslators(l *config.Loaded, ledger translate.Ledger, blobs blob.Store, log *slog.Logger) (*translators, error) {
	scripts, err := lru.New[pipeline.BlobRef, translate.Translator](keptScripts)
	if err != nil {
		return nil, err
	}
	return &translators{config: l, ledger: ledger, blobs: blobs, log: log, scripts: scripts}, nil
}

// of answers a task's script, and for every other task the configured translator. A server on loopback is looked for at
// each page that needs one, so that a person may start Ollama after Plait.
func (t *translators) of(ctx context.Context, o pipeline.Options) (translate.Translator, error) {
	if o.Translator == pipeline.TranslatorScript {
		return t.ofScript(ctx, o.Script)
	}
	p, ok := chooseProvider(ctx, t.config.Translator)
	if !ok {
		return nil, pipeline.NewError(pipeline.CodeTranslatorMissing, "no translator is configured, and none answers on this machine")
	}
	if o.Translator != "" && o.Translator != p.Kind {
		return nil, pipeline.Errorf(pipeline.CodeTranslatorMissing, "translator %q is not configured; %s is", o.Translator, p.Kind)
	}
	return t.ofModel(p)
}

func (t *translators) ofScript(ctx context.Context, ref pipeline.BlobRef) (translate.Translator, error) {
	if known, ok := t.scripts.Get(ref); ok {
		return known, nil
	}
	b, err := t.blobs.Read(ctx, ref, script.MaxBytes)
	if err != nil {
		return nil, err
	}
	f, err := script.Parse(b)
	if err != nil {
		return nil, err
	}
	made := translate.FromScript(f, t.log)
	t.scripts.Add(ref, made)
	return made, nil
}

func (t *translators) ofModel(p provider.Config) (translate.Translator, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.model != nil && reflect.DeepEqual(t.provider, p) {
		return t.model, nil
	}
	made, err := newModelTranslator(t.config.Translator, p, t.ledger, t.log)
	if err != nil {
		return nil, err
	}
	t.provider, t.model = p, made
	return made, nil
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
