// Package document is the steps of a page of a document, and the step that writes the files of the result.
//
// A repeated layout keeps the translations of texts that have not changed. A repeated translation asks the same questions, whose recorded
// answers it reuses. A repeated typeset or write makes the same bytes, and stores the same blobs.
package document

import (
	"context"
	"sync"

	"plait/activities"
	"plait/internal/core"
	"plait/internal/document"
	"plait/internal/document/engine"
	"plait/internal/document/estimate"
	"plait/internal/records"
	documentrecords "plait/internal/records/document"
	"plait/internal/translate"
)

// Deps are the dependencies of the steps of documents. A process needs only those of its roles: Engine for the role document, Translators
// for the role translate.
type Deps struct {
	*activities.Host
	Engine *engine.Engine
	// Workers is the number of pages that are read or set at the same time; 0 is 1.
	Workers int
	// Translators returns the translator of that name, or the configured one for an empty name. It fails with CodeTranslatorMissing.
	Translators func(ctx context.Context, name string) (translate.Translator, error)
	// TranslateSlots is the number of concurrent translations across all processes, and TableSlots that of table cells, which do not count
	// among them; 0 is 1.
	TranslateSlots, TableSlots int
	// PromptsDir is a folder of prompts that take precedence over the embedded ones; empty means none.
	PromptsDir string
	// Estimate predicts what the translation of pages takes, with what it assumes of the model; nil: reports have no estimate.
	Estimate func(pages []estimate.Page, o document.Options) (estimate.Estimate, estimate.Model, error)
	// CountTokens counts the tokens of a text; nil estimates them from its characters.
	CountTokens func(text string) int
}

// Activities are the steps. Their Temporal names are the Step constants of plait/internal/document.
type Activities struct {
	*activities.Host
	documents   documentrecords.Store
	engine      *engine.Engine
	workers     int
	translators func(ctx context.Context, name string) (translate.Translator, error)
	// slots are those of texts outside of tables, and tableSlots those of cells.
	slots, tableSlots activities.Slots
	files             *files
	countTokens       func(text string) int
	estimate          func(pages []estimate.Page, o document.Options) (estimate.Estimate, estimate.Model, error)

	promptsDir string
	mu         sync.Mutex
	loaded     map[string]*translate.Prompts
}

// New makes the steps.
func New(d Deps) *Activities {
	if d.CountTokens == nil {
		d.CountTokens = translate.CountCharacters
	}
	return &Activities{
		Host: d.Host, documents: documentrecords.New(d.Records), engine: d.Engine, workers: max(d.Workers, 1), translators: d.Translators,
		slots:      activities.Slots{Name: "translate", Count: max(d.TranslateSlots, 1)},
		tableSlots: activities.Slots{Name: "translate cells", Count: max(d.TableSlots, 1)}, files: newFiles(d.Blobs, d.Engine, d.Workers),
		countTokens: d.CountTokens, estimate: d.Estimate, promptsDir: d.PromptsDir, loaded: map[string]*translate.Prompts{},
	}
}

// Close closes the files that are open between steps.
func (a *Activities) Close() error { return a.files.close() }

// Workers is the number of pages that are read or set at the same time.
func (a *Activities) Workers() int { return a.workers }

// TranslateSlots is the number of concurrent translations across all processes.
func (a *Activities) TranslateSlots() int { return a.slots.Count }

// threads are the numbers of texts and of table cells of a page that are translated at the same time, at most.
func (a *Activities) threads(o document.Options, mode core.Mode) (texts, cells int) {
	if mode != document.ModeConcurrent {
		return 1, 1
	}
	cells = a.tableSlots.Count
	if o.TableThreads > 0 {
		cells = min(cells, o.TableThreads)
	}
	return a.slots.Count, cells
}

// prompts returns the instructions of a domain. It fails with INVALID_INPUT.
func (a *Activities) prompts(domain string) (*translate.Prompts, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.loaded[domain]; p != nil {
		return p, nil
	}
	p, err := translate.LoadPrompts(domain, a.promptsDir)
	if err == nil {
		a.loaded[domain] = p
	}
	return p, err
}

// do runs a step of a page and reads the page when the run begins.
func do[T any](
	ctx context.Context, a *Activities, s activities.Step[T], work func(context.Context, documentrecords.Page) (T, error),
) (T, error) {
	var page documentrecords.Page
	s.Kind, s.Run.Rank = document.Kind, document.Rank(s.Run.Stage)
	s.Details = []records.Statement{documentrecords.ReadPage(s.Run.Item, &page)}
	s.Work = func(ctx context.Context, _ records.Item) (T, error) { return work(ctx, page) }
	return s.Do(ctx, a.Host)
}
