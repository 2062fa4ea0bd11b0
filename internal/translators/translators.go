// Package translators finds the translator of a task: a script, the provider that the task names, or the configured one. It
// holds what the configuration says of providers, models and prices, and estimates what a translation takes.
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

// keptScripts is how many parsed scripts a worker keeps: one for each chapter that it works on at a time.
const keptScripts = 16

// probeEvery is how long a server found on loopback is taken for granted.
const probeEvery = time.Minute

// probeTimeout is for a server that is busy with a model on cores that this process keeps busy too. Where none listens
// the answer comes at once.
const probeTimeout = 3 * time.Second

// Accounts are the records of what models were asked, and may be.
type Accounts interface {
	translate.Ledger
	translate.Budgets
}

// Set finds the translator of a task. It keeps what it made: a script is read once a chapter, and the
// connections of a model's client serve every page.
type Set struct {
	config   *config.Config
	accounts Accounts
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

// New makes a set that asks models on the accounts, and tells observer of each call; observer may be nil.
func New(
	c *config.Config, accounts Accounts, observer translate.Observer, blobs blob.Store, log *slog.Logger,
) (*Set, error) {
	scripts, err := lru.New[core.BlobRef, translate.Translator](keptScripts)
	if err != nil {
		return nil, err
	}
	return &Set{config: c, accounts: accounts, observer: observer, blobs: blobs, log: log, scripts: scripts}, nil
}

// Of answers a task's script, the provider that the task names, or the configured one.
func (t *Set) Of(ctx context.Context, o comic.Options) (translate.Translator, error) {
	if o.Translator == core.TranslatorScript {
		return t.ofScript(ctx, o.Script)
	}
	p, err := choose(t.config.Translator, o.Translator)
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

// ErrNone is what a task is told when nothing is configured and nothing answers.
var ErrNone = core.NewError(core.CodeTranslatorMissing, "no translator is configured, and none answers on this machine")

// onLoopback looks for a model server on this machine, so that a person may start Ollama after Plait. One that was
// found stays the choice while it, or nothing better, answers: a chapter is not to change its model because a probe
// was slow.
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

func (t *Set) ofScript(ctx context.Context, ref core.BlobRef) (translate.Translator, error) {
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

func (t *Set) ofModel(p provider.Config) (translate.Translator, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.model != nil && reflect.DeepEqual(t.provider, p) {
		return t.model, nil
	}
	made, err := open(t.config.Translator, p, t.accounts, t.observer, tokenCounter(t.config.AssetsDir, t.log), t.log)
	if err != nil {
		return nil, err
	}
	t.provider, t.model = p, made
	return made, nil
}
