package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"plait/internal/files"
	"plait/internal/translate/glossary"
	"plait/tasks"
)

// promptContextFlags say what every prompt tells the model about the chapter.
type promptContextFlags struct {
	command            *cobra.Command
	glossary, synopsis string
}

func (f *promptContextFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.glossary, "glossary", "", "file of names and terms for the prompts, CSV, TSV or JSON")
	c.Flags().StringVar(&f.synopsis, "synopsis", "", fmt.Sprintf("what the chapter or the document is about, or @FILE, for the prompts; at most %d characters", tasks.MaxSynopsisRunes))
}

// terms is the glossary, as the file has it and entry by entry; nil without one.
func (f *promptContextFlags) terms() ([]byte, []glossary.Entry, error) {
	if f.glossary == "" {
		return nil, nil, nil
	}
	return files.Parse(f.glossary, glossary.MaxBytes, glossary.Parse)
}

// story is the synopsis.
func (f *promptContextFlags) story() (string, error) {
	text, err := files.TextOrFile(f.synopsis, utf8.UTFMax*tasks.MaxSynopsisRunes)
	if err != nil {
		return "", err
	}
	if utf8.RuneCountInString(text) > tasks.MaxSynopsisRunes {
		return "", usageError(f.command, fmt.Errorf("--synopsis has more than %d characters", tasks.MaxSynopsisRunes))
	}
	return text, nil
}

// told is the file of the glossary, and the synopsis.
func (f *promptContextFlags) told() (terms []byte, story string, err error) {
	if terms, _, err = f.terms(); err != nil {
		return nil, "", err
	}
	story, err = f.story()
	return terms, story, err
}
