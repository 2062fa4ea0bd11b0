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
	"plait/internal/translators"
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
	e, err := translators.NewEstimation(c.Context(), &l.Config)
	if err != nil {
		return err
	}
	e.To = f.to
	if _, e.Glossary, err = f.terms(); err != nil {
		return err
	}
	if e.Synopsis, err = f.story(); err != nil {
		return err
	}
	inputs := openInputs(args, archiveLimits(l))
	defer inputs.Close()
	engine, err := openPageEngine(c.Context(), l, f.pageFlags, len(inputs.pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
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
		e.Add(p.page, p.found)
		return nil
	})
	if err != nil {
		return err
	}
	if err := f.print(c, e.Total()); err != nil {
		return err
	}
	return failed.status(len(inputs.pages), "read")
}

func (f *estimateFlags) print(c *cobra.Command, e translators.Estimate) error {
	if f.asJSON {
		return json.NewEncoder(c.OutOrStdout()).Encode(e)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s, %s\n%s with %s %s\n%d tokens sent, %d answered\nabout %s\n",
		count(e.Pages, "page"), count(e.Regions, "text"), describeUsage(e.Usage), e.Provider, e.Model, e.InputTokens, e.OutputTokens,
		clock(time.Duration(e.Seconds*float64(time.Second))))
	return err
}

// describeUsage is for people: "12 model calls, 34567 tokens, cost 0.0123 by translator.prices".
func describeUsage(u core.Usage) string {
	cost := "no cost by translator.prices"
	if u.CostMicros > 0 {
		cost = fmt.Sprintf("cost %.4f by translator.prices", float64(u.CostMicros)/1e6)
	}
	return fmt.Sprintf("%s, %s, %s", count(u.Calls, "model call"), count(u.InputTokens+u.OutputTokens, "token"), cost)
}
