package main

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"plait/internal/core"
)

// pagePrinter prints what became of pages one by one, for people or as one JSON object a line, and counts those that failed.
type pagePrinter struct {
	failures
	out    io.Writer
	asJSON bool
}

func newPagePrinter(c *cobra.Command, asJSON bool) pagePrinter {
	return pagePrinter{failures: failures{errs: c.ErrOrStderr()}, out: c.OutOrStdout(), asJSON: asJSON}
}

// pageFailure is the line of a page that failed.
type pageFailure struct {
	Page  string    `json:"page"`
	Error pageError `json:"error"`
}

type pageError struct {
	Code    core.Code `json:"code"`
	Message string    `json:"message"`
}

// fail tells of a page that failed: people beside the results, programs among them. It returns what ends the command instead.
func (p *pagePrinter) fail(page string, err error) error {
	if err := p.add(page, err); err != nil || !p.asJSON {
		return err
	}
	return p.encode(pageFailure{Page: page, Error: pageError{Code: core.CodeOf(err), Message: explain(err)}})
}

// encode prints a line for programs.
func (p *pagePrinter) encode(line any) error {
	return lineEncoder(p.out).Encode(line)
}

// lineEncoder prints one JSON object a line, with texts as they are: nobody reads it as HTML.
func lineEncoder(out io.Writer) *json.Encoder {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e
}
