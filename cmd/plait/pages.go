package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/internal/comic/batch"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/files"
)

// pageFlags are the choices of the commands that work on pages with the engine of this host.
type pageFlags struct {
	batch.Options
	asJSON bool
}

func (f *pageFlags) add(c *cobra.Command) {
	c.Flags().Var(sourceLanguage(&f.From), "from", "language of the pages, or auto")
	c.Flags().Var(upTo(&f.Jobs, 64), "jobs", "number of pages at a time, 1 to 64 (default: worker.device_slots)")
}

// somePages demands that pages are named, to do what verb says.
func somePages(verb string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("name images, folders or CBZ files to %s", verb)
		}
		return nil
	}
}

// runPages works on pages and prints what became of each: the line of describe, or with --json the record. done says what work
// does to a page.
func runPages[T any](
	c *cobra.Command, l *config.Loaded, f pageFlags, pages []files.Page, done string, work batch.Work[T],
	describe func(page string, result T) string, record func(page string, result T) batch.Record,
) (err error) {
	e, err := batch.Open(c.Context(), &l.Config, f.Options, len(pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	p := newPagePrinter(c, f.asJSON)
	err = batch.Run(c.Context(), e, pages, work, func(page files.Page, result T, err error) error {
		switch {
		case err != nil:
			return p.fail(page.Name, err)
		case p.asJSON:
			return p.encode(record(page.Name, result))
		default:
			_, err := io.WriteString(p.out, describe(page.Name, result))
			return err
		}
	})
	if err != nil {
		return err
	}
	return p.status(len(pages), done)
}

// pagePrinter prints what became of pages one by one, for people or as one JSON object a line, and counts those that failed.
type pagePrinter struct {
	out, errs io.Writer
	asJSON    bool
	failed    int
}

func newPagePrinter(c *cobra.Command, asJSON bool) *pagePrinter {
	return &pagePrinter{out: c.OutOrStdout(), errs: c.ErrOrStderr(), asJSON: asJSON}
}

// fail tells of a page that failed: people beside the results, programs among them. It returns what ends the command instead.
func (p *pagePrinter) fail(page string, err error) error {
	if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
		return err
	}
	p.failed++
	fmt.Fprintf(p.errs, "plait: %s: %s\n", page, explain(err))
	if !p.asJSON {
		return nil
	}
	return p.encode(map[string]any{"page": page, "error": map[string]any{"code": core.CodeOf(err), "message": explain(err)}})
}

func (p *pagePrinter) encode(line any) error { return lineEncoder(p.out).Encode(line) }

// status is how a command ends that was to do with so many pages what done says.
func (p *pagePrinter) status(pages int, done string) error {
	switch p.failed {
	case 0:
		return nil
	case pages:
		return &exitError{status: exitFailed}
	default:
		return &exitError{status: exitPartial, err: fmt.Errorf("%d of %s could not be %s", p.failed, progress.Count(pages, "page"), done)}
	}
}
