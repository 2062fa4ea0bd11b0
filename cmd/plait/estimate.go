package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
	"plait/internal/languages"
	"plait/internal/translators"
)

// estimateFlags are the choices of `plait estimate`.
type estimateFlags struct {
	pageFlags
	senseFlags
	to string
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
	in := files.List(args, installation.ArchiveLimits(&l.Config))
	defer in.Close()
	r := &batch.Reader{Options: comic.Options{From: f.From, To: f.to}}
	failed := runPages(c, l, pageFlags{Options: f.Options}, in.List, "read", r.Read, func(page string, found comic.DetectOutput) string {
		e.Add(page, found)
		return ""
	}, nil)
	if e.Total().Pages == 0 && failed != nil {
		return failed
	}
	return errors.Join(f.print(c, e.Total()), failed)
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
