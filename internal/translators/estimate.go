package translators

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

const (
	// A call takes about a second until its first token, then produces about sixty tokens a second, like small and medium-sized hosted
	// models.
	callLatency     = time.Second
	tokensPerSecond = 60
)

// Configured returns the provider that the configuration names, or a model server found on this machine. It fails with [ErrNone].
func Configured(ctx context.Context, c *config.Config) (provider.Config, error) {
	p, err := choose(c.Translator, "")
	if err != nil {
		return provider.Config{}, err
	}
	if p == nil {
		found, ok := discover(ctx, c.Translator)
		if !ok {
			return provider.Config{}, ErrNone
		}
		p = &found
	}
	return *p, nil
}

// Unrecorded opens a translator whose calls belong to no task and are not recorded.
func Unrecorded(c *config.Config, p provider.Config) (translate.Translator, error) {
	silent := slog.New(slog.DiscardHandler)
	return open(c.Translator, p, unrecorded{}, nil, TokenCounter(c.AssetsDir, silent), silent)
}

// PromptEstimator returns an estimator of prompts: for the configured provider, or for one that behaves like most. It looks for no server.
func PromptEstimator(c *config.Config) (translate.Estimator, error) {
	p, err := choose(c.Translator, "")
	if err != nil {
		return nil, err
	}
	if p == nil {
		p = &provider.Config{Kind: "ollama", Model: "unknown"}
	}
	t, err := Unrecorded(c, *p)
	if err != nil {
		return nil, err
	}
	if e, ok := t.(translate.Estimator); ok {
		return e, nil
	}
	return noPrompts{}, nil
}

// noPrompts is the estimator of a translator without a language model.
type noPrompts struct{}

func (noPrompts) Estimate(translate.Request) core.Usage { return core.Usage{} }

type unrecorded struct{}

func (unrecorded) LookupCall(context.Context, string) (ledger.Answer, bool, error) {
	return ledger.Answer{}, false, nil
}
func (unrecorded) RecordCall(context.Context, ledger.Call) error { return nil }
func (unrecorded) ReserveCall(context.Context, string, int, ledger.Limits) (int64, time.Duration, error) {
	return 0, 0, nil
}
func (unrecorded) SettleCall(context.Context, int64, int) error { return nil }

// Estimation adds up the cost of translating pages. It must be used by one goroutine.
type Estimation struct {
	// To is the target language; Glossary and Synopsis are sent with every page.
	To       string
	Glossary []glossary.Entry
	Synopsis string

	translator   translate.Translator
	model        string
	priced       bool
	contextPages int
	untranslated comic.RegionKinds
	// slots is how many calls are made at once.
	slots          int
	began          time.Time
	pages, regions int
	usage          core.Usage
	before         []translate.PageText
}

// NewEstimation makes an estimation for the configured model, without calling it. It fails with [ErrNone].
func NewEstimation(ctx context.Context, c *config.Config) (*Estimation, error) {
	p, err := Configured(ctx, c)
	if err != nil {
		return nil, err
	}
	t, err := Unrecorded(c, p)
	if err != nil {
		return nil, err
	}
	prices, err := pricesOf(c.Translator)
	if err != nil {
		return nil, err
	}
	_, priced := translate.PriceOf(prices, p.Model)
	return &Estimation{
		translator: t, model: p.Model, priced: priced, contextPages: c.Translator.ContextPages,
		untranslated: UntranslatedKinds(c.Translator), slots: c.Worker.TranslateSlots, began: time.Now(),
	}, nil
}

// Add adds a page of that name. As context, it counts the translations of the previous pages with the length of their sources.
func (e *Estimation) Add(page string, found comic.DetectOutput) {
	request := translate.Request{
		Page: core.Item{Name: page}, From: found.FromLang, To: e.To, Glossary: e.Glossary, Synopsis: e.Synopsis, Context: e.before,
	}
	text := translate.PageText{Name: page}
	for _, region := range found.Regions {
		if e.untranslated.Have(region) {
			continue
		}
		request.Segments = append(request.Segments, translate.Segment{Index: region.Index, Text: region.Tagged()})
		text.Pairs = append(text.Pairs, translate.Pair{Source: region.Text, Translation: region.Text})
	}
	e.pages++
	e.regions += len(request.Segments)
	if estimator, ok := e.translator.(translate.Estimator); ok {
		e.usage = e.usage.Plus(estimator.Estimate(request))
	}
	if e.before = append(e.before, text); len(e.before) > e.contextPages {
		e.before = e.before[1:]
	}
}

// Estimate is the estimated cost of a translation.
type Estimate struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Pages    int    `json:"pages"`
	// Regions is the number of regions that are sent to a model.
	Regions int `json:"regions"`
	core.Usage
	// Priced means that translator.prices has a price for the model: without one, the cost is unknown.
	Priced bool `json:"priced"`
	// Seconds is the time of the model's calls, or of reading when that takes longer: the two run in parallel.
	Seconds float64 `json:"seconds"`
}

// Cost returns the cost in words: an amount in the currency of translator.prices, or why it is unknown.
func (e Estimate) Cost() string {
	if !e.Priced {
		return "not known: translator.prices has no price of " + e.Model
	}
	return fmt.Sprintf("%.4f in the currency of translator.prices", float64(e.CostMicros)/1e6)
}

// Total returns the estimate of the pages so far.
func (e *Estimation) Total() Estimate {
	calls := time.Duration(e.usage.Calls)*callLatency + time.Duration(e.usage.OutputTokens)*time.Second/tokensPerSecond
	took := max(calls/time.Duration(max(e.slots, 1)), time.Since(e.began))
	return Estimate{
		Provider: e.translator.Name(), Model: e.model, Pages: e.pages, Regions: e.regions, Usage: e.usage, Priced: e.priced, Seconds: took.Round(time.Second).Seconds(),
	}
}
