package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plait/internal/core"
	"plait/internal/languages"
)

// readFlag is a flag whose value a function reads from its text, so that a wrong text is wrong usage before anything else happens.
type readFlag[T any] struct {
	value      *T
	kind, text string
	read       func(string) (T, error)
}

// reading makes a flag of a value. Until the command line names the flag, the value stays as it is, and help shows it as text.
func reading[T any](value *T, kind, text string, read func(string) (T, error)) pflag.Value {
	return &readFlag[T]{value, kind, text, read}
}

func (f *readFlag[T]) Type() string   { return f.kind }
func (f *readFlag[T]) String() string { return f.text }

func (f *readFlag[T]) Set(text string) error {
	value, err := f.read(text)
	if err == nil {
		*f.value, f.text = value, text
	}
	return err
}

// choice makes a flag of a value that is one of a few words.
func choice[T ~string](value *T, words ...T) pflag.Value {
	return reading(value, "string", string(*value), func(text string) (T, error) { return core.OneOf("", T(text), words...) })
}

// upTo makes a flag of a number from 1 to most.
func upTo(value *int, most int) pflag.Value {
	return reading(value, "int", strconv.Itoa(*value), func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err == nil && (n < 1 || n > most) {
			err = core.Errorf(core.CodeInvalidInput, "%d is not from 1 to %d", n, most)
		}
		return n, err
	})
}

// sourceLanguage and targetLanguage make flags of the tag of a language.
func sourceLanguage(tag *string) pflag.Value {
	*tag = languages.Auto
	return reading(tag, "string", *tag, languages.ParseSource)
}

func targetLanguage(tag *string) pflag.Value {
	return reading(tag, "string", *tag, languages.ParseTarget)
}

// demand fails where a flag is not given that has to be, and says what it is for.
func demand(c *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := c.Flags().Lookup(name); f.Value.String() == "" {
			return usageError(c, fmt.Errorf("--%s is missing: %s", name, strings.TrimSuffix(f.Usage, " (required)")))
		}
	}
	return nil
}

// refuse fails when a flag was given that the input has no use for.
func refuse(c *cobra.Command, names []string, input string) error {
	for _, name := range names {
		if c.Flags().Changed(name) {
			return usageError(c, fmt.Errorf("--%s is not for %s", name, input))
		}
	}
	return nil
}

// given is the value of a flag of c, or nil where the command line does not have it.
func given[T any](c *cobra.Command, flag string, value T) *T {
	if !c.Flags().Changed(flag) {
		return nil
	}
	return &value
}
