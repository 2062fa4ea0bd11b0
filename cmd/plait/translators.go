package main

import (
	"context"
	"log/slog"
	"reflect"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/provider"
	"plait/internal/translate/script"
)

// keptScripts is how many parsed scripts a worker keeps: one for each chapter that it works on at a time.
const keptScripts = 16

// probeEvery is how long a server found on loopback is taken for granted.
const probeEvery = time.Minute

// probeTimeout is for a server that is busy with a model on cores that this process keeps busy too. Where none listens
// the answer comes at once.
const probeTimeout = 3 * time.Second

// accounts are the records of what models were asked, and may be.
type accounts interface {
	translate.Ledger
	translate.Budgets
}

// translators finds the translator of a task. It keeps what it made: a script is read once a chapter, and the
// connections of a model's client serve every page.
type translators struct {
	config   *config.Loaded
	accounts accounts
	observer translate.Observer
	blobs    blob.Store
	log      *slog.Logger
	scripts  *lru.Cache[core.BlobRef, translate.Translator]

	mu       sync.Mutex
	provider provider.Config
	model    translate.Translator
	// found is the server on loopback that was found last, at the time probed.
	found  *provider.Config
	probed time.Time
}

func newTranslators(
	l *config.Loaded, accounts accounts, observer translate.Observer, blobs blob.Store, log *slog.Logger,
) (*translators, error) {
	scripts, err := lru.New[core.BlobRef, translate.Translator](keptScripts)
	if err != nil {
		return nil, err
	}
	return &translators{config: l, accounts: accounts, observer: observer, blobs: blobs, log: log, scripts: scripts}, nil
}

// of answers a task's script, the provider that the task names, or the configured one.
func (t *translators) of(ctx context.Context, o comic.Options) (translate.Translator, error) {
	if o.Translator == core.TranslatorScript {
		return t.ofScript(ctx, o.Script)
	}
	p, err := chooseProvider(t.config.Translator, o.Translator)
	if err != nil {
		return nil, err
	}
	if p == nil {
		if p = t.onLoopback(ctx); p == nil {
			return nil, errNoTranslator
		}
	}
	return t.ofModel(*p)
}

// errNoTranslator is what a task hears when nothing is configured and nothing answers.
var errNoTranslator = core.NewError(core.CodeTranslatorMissing, "no translator is configured, and none answers on this machine")

// onLoopback looks for a model server on this machine, so that a person may start Ollama after Plait. One that was
// found stays the choice while it, or nothing better, answers: a chapter is not to change its model because a probe
// was slow.
func (t *translators) onLoopback(ctx context.Context) *provider.Config {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.found != nil && time.Since(t.probed) < probeEvery {
		return t.found
	}
	if found, ok := discover(ctx, t.config.Translator); ok {
		t.found = &found
	}
	t.probed = time.Now()
	return t.found
}

func (t *translators) ofScript(ctx context.Context, ref core.BlobRef) (translate.Translator, error) {
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
	made, err := newModelTranslator(t.config.Translator, p, t.accounts, t.observer, tokenCounter(t.config.AssetsDir, t.log), t.log)
	if err != nil {
		return nil, err
	}
	t.provider, t.model = p, made
	return made, nil
}
