package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"plait/internal/comic"
	"plait/internal/config"
)

// pageMaker makes files of a page with an engine, and fills in what became of it.
type pageMaker func(ctx context.Context, e *pageEngine, i int, page []byte, made *madePage) error

// madePage is what became of one page.
type madePage struct {
	page, file string
	// regions is how many of the page were changed.
	regions int
	// missing are the characters that no font has, and that were left out.
	missing string
	err     error
}

// makeFiles makes a file of each page, and prints a line for each, in their order. done says what a maker does to a page.
func makeFiles(c *cobra.Command, l *config.Loaded, f pageFlags, pages []inputPage, files []string, done string, work pageMaker) (err error) {
	e, err := openPageEngine(c.Context(), l, f, len(pages))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	failed := failures{errs: c.ErrOrStderr()}
	err = eachPage(c.Context(), pages, e.slots, func(ctx context.Context, i int) madePage {
		made := madePage{page: pages[i].name, file: files[i]}
		made.err = e.withPage(ctx, pages[i], func(b []byte) error { return work(ctx, e, i, b, &made) })
		return made
	}, func(made madePage) error {
		if made.err != nil {
			return failed.add(made.page, made.err)
		}
		if made.missing != "" {
			fmt.Fprintln(c.ErrOrStderr(), "plait: "+leftOut(made.page, made.missing))
		}
		_, err := fmt.Fprintf(c.OutOrStdout(), "%s: %s %s → %s\n", made.page, count(made.regions, "region"), done, made.file)
		return err
	})
	if err != nil {
		return err
	}
	return failed.status(len(pages), done)
}

// leftOut says which characters of its translations a page is without.
func leftOut(page, missing string) string {
	return page + ": no font has " + comic.CodePoints(missing) + ": left out"
}

// writeResult writes a file of what a page became.
func writeResult(file string, b []byte) error {
	return writeFile(file, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}
