// Package translators finds the translator of a task: a script, the provider that the task names, or the configured one. It contains the
// configuration of providers, models and prices, and estimates the cost of a translation.
package translators

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

// keptScripts is how many parsed scripts a worker caches: one for each chapter that it works on at a time.
const keptScripts = 16

// probeEvery is how long the result of a search on loopback is reused.
const probeEvery = time.Minute

// probeTimeout allows for a server that is busy with a model, on cores that this process keeps busy too. When no server listens, the
// connection is refused immediately.
const probeTimeout = 3 * time.Second

// Accounts are the ledger and the budgets of model calls.
type Accounts interface {
	translate.Ledger
	translate.Budgets
}

// Set finds the translator of a task. It caches translators: a script is parsed once per chapter, and the connections of a model's client
// are reused for every page.
type Set struct {
	config   *config.Config
	accounts Accounts
	observer translate.Observer
	blobs    blob.Store
	log      *slog.Logger
	scripts  *lru.Cache[scriptKey, translate.Translator]

	mu       sync.Mutex
	provider provider.Config
	model    translate.Translator
	// found is the last server found on loopback, at the time probed.
	found  *provider.Config
	probed time.Time
}

// New makes a set that records model calls in the accounts and reports each call to observer; observer may be nil.
func New(
	c *config.Config, accounts Accounts, observer translate.Observer, blobs blob.Store, log *slog.Logger,
) (*Set, error) {
	scripts, err := lru.New[scriptKey, translate.Translator](keptScripts)
	if err != nil {
		return nil, err
	}
	return &Set{config: c, accounts: accounts, observer: observer, blobs: blobs, log: log, scripts: scripts}, nil
}

// Of returns the translator of a task: its script, the provider that the task names, or the configured one.
func (t *Set) Of(ctx context.Context, o comic.Options) (translate.Translator, error) {
	if o.Translator == core.TranslatorScript {
		return t.ofScript(ctx, scriptKey{o.Script, o.Strict})
	}
	return t.Model(ctx, o.Translator)
}

// Model returns the model that the name of a provider stands for, or the configured one for an empty name.
func (t *Set) Model(ctx context.Context, name string) (translate.Translator, error) {
	p, err := choose(t.config.Translator, name)
	if err != nil {
		return nil, err
	}
	if p == nil {
		if p = t.onLoopback(ctx); p == nil {
			return nil, ErrNone
		}
	}
	return t.ofModel(*p)
}

// ErrNone means that no translator is configured and that no model server answers on this machine.
var ErrNone = core.NewError(core.CodeTranslatorMissing, "no translator is configured, and none answers on this machine")

// onLoopback searches for a model server on this machine, so that a user can start Ollama after Plait. A search that finds no server keeps
// the last one found: a slow probe must not change the model within a chapter.
func (t *Set) onLoopback(ctx context.Context) *provider.Config {
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

// scriptKey identifies a parsed script.
type scriptKey struct {
	ref    core.BlobRef
	strict bool
}

func (t *Set) ofScript(ctx context.Context, key scriptKey) (translate.Translator, error) {
	if known, ok := t.scripts.Get(key); ok {
		return known, nil
	}
	b, err := t.blobs.Read(ctx, key.ref, script.MaxBytes)
	if err != nil {
		return nil, err
	}
	f, err := script.Parse(b)
	if err != nil {
		return nil, err
	}
	made := translate.FromScript(f, key.strict, t.log)
	t.scripts.Add(key, made)
	return made, nil
}

func (t *Set) ofModel(p provider.Config) (translate.Translator, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.model != nil && reflect.DeepEqual(t.provider, p) {
		return t.model, nil
	}
	made, err := open(t.config.Translator, p, t.accounts, t.observer, TokenCounter(t.config.AssetsDir, t.log), t.log)
	if err != nil {
		return nil, err
	}
	t.provider, t.model = p, made
	return made, nil
}
