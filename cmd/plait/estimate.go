package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/translate"
	"plait/internal/translate/glossary"
)

const (
	// A call takes about a second to its first word and then some sixty tokens a second, as hosted models of the small and
	// middle sizes do.
	callLatency     = time.Second
	tokensPerSecond = 60
)

// estimateFlags are the choices of `plait estimate`.
type estimateFlags struct {
	pageFlags
	senseFlags
	to     string
	asJSON bool
}

func newEstimate(a *app) *cobra.Command {
	f := &estimateFlags{}
	c := &cobra.Command{
		Use:   "estimate PAGE...",
		Short: "Tell what a translation would take, before anything is paid",
		Long: `Read the pages on this machine and tell what their translation by the configured model would take: pages, regions, model calls,
tokens, cost by the price table (translator.prices), and time. No model is asked, and no server is needed.

The tokens are counted in the prompts as they would be sent; answers are taken to be somewhat longer than their sources, and to be
right the first time. What a translation then took stands beside this estimate in its summary, in the API, and in the view cost_by_task.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 4 no translator, 130 interrupted.`,
		Example: `  plait estimate book.cbz --from ja --to en
  PLAIT_TRANSLATOR_PRICES=gpt-5-mini=0.25/2 plait estimate pages/ --json`,
		Args: somePages("estimate"),
		RunE: a.configured(f.run),
	}
	f.pageFlags.add(c)
	f.senseFlags.add(c)
	c.Flags().StringVar(&f.to, "to", "en", "language to translate into")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

func (f *estimateFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if err := f.check(c); err != nil {
		return err
	}
	if f.to, err = languages.ParseTarget(f.to); err != nil {
		return usageError(c, err)
	}
	model, e, err := f.estimator(c.Context(), l)
	if err != nil {
		return err
	}
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	engine, err := openPageEngine(c.Context(), l, f.pageFlags, len(inputs.pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	e.began = time.Now()
	failed := failures{errs: c.ErrOrStderr()}
	err = eachPage(c.Context(), inputs.pages, engine.slots, func(ctx context.Context, i int) pageReading {
		p := pageReading{page: inputs.pages[i].name}
		p.err = engine.withPage(ctx, inputs.pages[i], func(b []byte) (err error) {
			_, p.found, err = engine.Detect(ctx, b, comic.Options{From: f.from, To: f.to})
			return err
		})
		return p
	}, func(p pageReading) error {
		if p.err != nil {
			return failed.add(p.page, p.err)
		}
		e.add(p)
		return nil
	})
	if err != nil {
		return err
	}
	if err := f.print(c, e.total(model)); err != nil {
		return err
	}
	return failed.status(len(inputs.pages), "read")
}

// estimator is for the configured model.
func (f *estimateFlags) estimator(ctx context.Context, l *config.Loaded) (model string, e *estimation, err error) {
	p, err := chooseProvider(l.Translator, "")
	if err != nil {
		return "", nil, err
	}
	if p == nil {
		found, ok := discover(ctx, l.Translator)
		if !ok {
			return "", nil, errNoTranslator
		}
		p = &found
	}
	translator, err := newModelTranslator(l.Translator, *p, unrecorded{}, nil, tokenCounter(l.AssetsDir, silent()), silent())
	if err != nil {
		return "", nil, err
	}
	_, terms, err := f.terms()
	if err != nil {
		return "", nil, err
	}
	story, err := f.story()
	if err != nil {
		return "", nil, err
	}
	return p.Model, &estimation{
		to: f.to, terms: terms, story: story, translator: translator, contextPages: l.Translator.ContextPages, untranslated: untranslatedKinds(l.Translator),
		calls: l.Worker.TranslateSlots,
	}, nil
}

// estimation adds up the pages of an estimate.
type estimation struct {
	to string
	// terms and story go with every page.
	terms        []glossary.Entry
	story        string
	translator   translate.Translator
	contextPages int
	untranslated comic.RegionKinds
	// calls is how many may be made at once.
	calls          int
	began          time.Time
	pages, regions int
	usage          core.Usage
	before         []translate.PageText
}

// add counts a page. The translations of the pages before, which it would be given, are as long as their sources.
func (e *estimation) add(p pageReading) {
	request := translate.Request{Page: core.Item{Name: p.page}, From: p.found.FromLang, To: e.to, Glossary: e.terms, Synopsis: e.story, Context: e.before}
	said := translate.PageText{Name: p.page}
	for _, region := range p.found.Regions {
		if e.untranslated.Have(region) {
			continue
		}
		request.Segments = append(request.Segments, translate.Segment{Index: region.Index, Text: region.Text})
		said.Pairs = append(said.Pairs, translate.Pair{Source: region.Text, Translation: region.Text})
	}
	e.pages++
	e.regions += len(request.Segments)
	if estimator, ok := e.translator.(translate.Estimator); ok {
		e.usage = e.usage.Plus(estimator.Estimate(request))
	}
	if e.before = append(e.before, said); len(e.before) > e.contextPages {
		e.before = e.before[1:]
	}
}

// bill is what a translation would take.
type bill struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	Pages    int    `json:"pages"`
	// Regions are those that a model would be asked for.
	Regions int `json:"regions"`
	core.Usage
	// Seconds are those of the model's calls, or of reading where that takes longer: the two go on side by side.
	Seconds float64 `json:"seconds"`
}

func (e *estimation) total(model string) bill {
	calls := time.Duration(e.usage.Calls)*callLatency + time.Duration(e.usage.OutputTokens)*time.Second/tokensPerSecond
	took := max(calls/time.Duration(max(e.calls, 1)), time.Since(e.began))
	return bill{
		Provider: e.translator.Name(), Model: model, Pages: e.pages, Regions: e.regions, Usage: e.usage, Seconds: took.Round(time.Second).Seconds(),
	}
}

func (f *estimateFlags) print(c *cobra.Command, e bill) error {
	if f.asJSON {
		return json.NewEncoder(c.OutOrStdout()).Encode(e)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s, %s\n%s with %s %s\n%d tokens sent, %d answered\nabout %s\n",
		count(e.Pages, "page"), count(e.Regions, "text"), describeUsage(e.Usage), e.Provider, e.Model, e.InputTokens, e.OutputTokens,
		clock(time.Duration(e.Seconds*float64(time.Second))))
	return err
}
