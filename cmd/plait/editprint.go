package main

import "fmt"

// editRecord is a page as `plait edit --json` prints it, once its image shows what was changed.
type editRecord struct {
	Page string `json:"page"`
	// Changed is the number of its texts that were.
	Changed int `json:"changed"`
}

// editPrinter prints what became of edits. A page fails whose edits cannot be seen.
type editPrinter struct{ *pagePrinter }

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

// say is for people alone.
func (p *editPrinter) say(line string) {
	if !p.asJSON {
		fmt.Fprintln(p.out, line)
	}
}
