package main

import (
	"encoding/json"
	"fmt"
	"io"

	"plait/internal/pipeline"
)

// editRecord is a page as `plait edit --json` prints it, once its image shows what was changed.
type editRecord struct {
	Page string `json:"page"`
	// Changed is the number of its texts that were.
	Changed int `json:"changed"`
}

// editPrinter prints what became of edits, and counts the pages that failed.
type editPrinter struct {
	failures
	out    io.Writer
	asJSON bool
}

// changed tells people at once, as lettering takes its time.
func (p *editPrinter) changed(page string, texts int) {
	if !p.asJSON {
		fmt.Fprintf(p.out, "%s: %s changed\n", page, count(texts, "text"))
	}
}

// shown tells programs, to whom a change counts that can be seen.
func (p *editPrinter) shown(page string, texts int) error {
	if !p.asJSON {
		return nil
	}
	return p.encode(editRecord{Page: page, Changed: texts})
}

// fail names a page whose edits cannot be seen. It returns what ends the command instead.
func (p *editPrinter) fail(page string, err error) error {
	if err := p.add(page, err); err != nil || !p.asJSON {
		return err
	}
	return p.encode(readFailure{Page: page, Error: readError{Code: pipeline.CodeOf(err), Message: explain(err)}})
}

// say is for people alone.
func (p *editPrinter) say(line string) {
	if !p.asJSON {
		fmt.Fprintln(p.out, line)
	}
}

func (p *editPrinter) encode(line any) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	return e.Encode(line)
}
