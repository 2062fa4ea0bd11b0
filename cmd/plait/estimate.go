package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/comic"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/translators"
)

// estimateFlags are the choices of `plait estimate`.
type estimateFlags struct {
	pageFlags
	promptContextFlags
	passwordFlags
	to, pages, domain string
}

func newEstimate(a *app) *cobra.Command {
	f := &estimateFlags{to: "en"}
	c := &cobra.Command{
		Use:   "estimate PAGE...",
		Short: "Print what a translation would take: calls, tokens, time, and the cost of a chapter",
		Long: `Read pages on this machine and print what their translation would take: pages, regions, model calls, tokens, cost and time. No model
is called.

The model is that of the stack that runs in the data folder, or else the configured one. Flags such as --translator-model choose
another. The cost follows the price table translator.prices and is in its currency.

Input tokens are counted in the prompts. Output tokens are assumed to be somewhat more than those of the texts, and every answer to be
accepted at first. The summary of a task, the API, and the view cost_by_task contain the actual usage next to the estimate.

The estimate of a PDF counts paragraphs and table cells, each of which is a call, and follows the settings document.estimate_*. From
document.estimate_pages on, pages are only counted.

Exit status: 0 done, 1 failed, 2 wrong usage, 3 some pages failed, 4 no translator, 130 interrupted.`,
		Example: `  plait estimate paper.pdf --to zh
  plait estimate book.cbz --from ja --to en
  plait estimate pages/ --translator-prices gpt-5-mini=0.25/2 --json`,
		Args: somePages("estimate"),
		RunE: a.configured(f.run),
	}
	f.pageFlags.add(c)
	f.promptContextFlags.add(c)
	c.Flags().Var(targetLanguage(&f.to), "to", "language to translate into")
	c.Flags().StringVar(&f.pages, "pages", "", "of a PDF: the pages, such as 1-3,7,12- (default: all)")
	c.Flags().StringVar(&f.domain, "domain", "", "of a PDF: instructions for the model (default general)")
	f.passwordFlags.add(c)
	c.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

func (f *estimateFlags) run(c *cobra.Command, l *config.Loaded, args []string) (err error) {
	if len(args) == 1 && files.IsDocument(args[0]) {
		return f.runDocument(c, l, args[0])
	}
	if err := refuse(c, []string{"pages", "domain", "password-file"}, "a chapter"); err != nil {
		return err
	}
	_, terms, err := f.terms()
	if err != nil {
		return err
	}
	synopsis, err := f.story()
	if err != nil {
		return err
	}
	if _, err := installation.RunningTranslator(c.Context(), l); err != nil {
		return err
	}
	e, err := translators.NewEstimation(c.Context(), &l.Config)
	if err != nil {
		return err
	}
	e.To, e.Glossary, e.Synopsis = f.to, terms, synopsis
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
	return answer(c, f.asJSON, e, "%s, %s\n%s of %s %s\n%d tokens sent, %d answered\ncost %s\nabout %s\n",
		progress.Count(e.Pages, "page"), progress.Count(e.Regions, "text"), progress.Count(e.Calls, "call"), e.Provider, e.Model,
		e.InputTokens, e.OutputTokens, e.Cost(), progress.Clock(time.Duration(e.Seconds*float64(time.Second))))
}
