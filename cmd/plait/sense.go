package main

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"plait/internal/files"
	"plait/internal/translate/glossary"
	comictasks "plait/tasks/comic"
)

// senseFlags are what a model is to know of a chapter.
type senseFlags struct{ glossary, synopsis string }

func (f *senseFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.glossary, "glossary", "", "call names and terms as this file says, CSV, TSV or JSON")
	c.Flags().StringVar(&f.synopsis, "synopsis", "", "what the chapter is about, or @FILE that says it")
}

// terms are the glossary, as the file has it and entry by entry; nil without one.
func (f *senseFlags) terms() ([]byte, []glossary.Entry, error) {
	if f.glossary == "" {
		return nil, nil, nil
	}
	return readGlossary(f.glossary)
}

// story is the synopsis.
func (f *senseFlags) story() (string, error) {
	text := f.synopsis
	if path, ok := strings.CutPrefix(text, "@"); ok {
		b, err := files.Read(path)
		if err != nil {
			return "", err
		}
		text = strings.TrimSpace(string(b))
	}
	if n := utf8.RuneCountInString(text); n > comictasks.MaxSynopsisRunes {
		return "", fmt.Errorf("the synopsis has %d characters; the most is %d", n, comictasks.MaxSynopsisRunes)
	}
	return text, nil
}
