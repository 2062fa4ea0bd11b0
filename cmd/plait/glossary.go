package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/config"
	"plait/internal/files"
	"plait/internal/records"
	"plait/internal/translate/glossary"
)

func newGlossary(a *app) *cobra.Command {
	return group(&cobra.Command{
		Use:   "glossary",
		Short: "Manage the translations of names and terms",
		Long: `Set, print and suggest glossaries: lists of names and terms with their translations.

A glossary belongs to one target language and to a tenant or a task. The entries of a task take precedence over those of its tenant.
A prompt contains the entries that occur on its page, and a translation that does not follow them is asked for once more.

A glossary file is CSV or TSV with a header, or a JSON list of objects. The columns, or fields, are:

  source          the term in the original
  target          its translation
  keep            true: the term stays as it is in the original and needs no target
  case            true: upper and lower case must match
  part_of_speech  for the model, such as name
  note            for the model, such as "she is the older sister"`,
	}, newGlossarySet(a), newGlossaryShow(a), newGlossarySuggest(a))
}

// glossaryFlags say which glossary is meant.
type glossaryFlags struct{ tenant, task, to string }

func (f *glossaryFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.tenant, "tenant", installation.LocalTenant, "tenant of the glossary")
	c.Flags().StringVar(&f.task, "task", "", "task of the glossary (default: all tasks of the tenant)")
	f.to = "en"
	c.Flags().Var(targetLanguage(&f.to), "to", "target language")
}

func newGlossarySet(a *app) *cobra.Command {
	f := &glossaryFlags{}
	c := &cobra.Command{
		Use:     "set FILE",
		Short:   "Replace a glossary with the entries of a file",
		Long:    `Replace a glossary with the entries of a file. A file without entries deletes the glossary.`,
		Example: "  plait glossary set names.csv --to en",
		Args:    oneArgument("FILE"),
	}
	f.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		_, entries, err := files.Parse(args[0], glossary.MaxBytes, glossary.Parse)
		if err != nil {
			return err
		}
		return withRecords(a, c, func(ctx context.Context, _ *config.Loaded, s *records.Store) error {
			if err := s.SetGlossary(ctx, f.tenant, f.task, f.to, entries); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s set\n", progress.Count(len(entries), "term"))
			return err
		})
	}
	return c
}

func newGlossaryShow(a *app) *cobra.Command {
	f := &glossaryFlags{}
	var asJSON bool
	c := &cobra.Command{
		Use:   "show",
		Short: "Print the glossary of a tenant or a task",
		Long: `Print the glossary of a tenant as CSV, or with --task all entries that apply to a task: its own, and those of its tenant for terms
that its own glossary does not contain.`,
	}
	f.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	return onRecords(a, c, func(ctx context.Context, s *records.Store, _ []string) error {
		entries, err := s.Glossary(ctx, f.tenant, f.task, f.to)
		if err != nil {
			return err
		}
		return glossary.Write(c.OutOrStdout(), entries, asJSON)
	})
}

func newGlossarySuggest(a *app) *cobra.Command {
	var tenant string
	var asJSON bool
	c := &cobra.Command{
		Use:   "suggest TASK",
		Short: "Print a glossary made from the translations of a task",
		Long: `Print the terms that a task translated the same way several times, most frequent first. The output is CSV for "plait glossary set"
or "plait translate --glossary". Check it before use: a word that often occurs next to a name can be mistaken for its translation.`,
		Example: "  plait glossary suggest 01a1ff10-001f-7e30-be33-14ff820295cf > names.csv",
		Args:    oneArgument("TASK"),
	}
	c.Flags().StringVar(&tenant, "tenant", installation.LocalTenant, "tenant of the task")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON list")
	c.RunE = func(c *cobra.Command, args []string) error {
		return withRecords(a, c, func(ctx context.Context, l *config.Loaded, s *records.Store) error {
			pairs, err := kinds.TranslatedPairs(ctx, installation.Process{Config: l, Records: s}, tenant, args[0])
			if err != nil {
				return err
			}
			return glossary.Write(c.OutOrStdout(), glossary.Suggest(pairs), asJSON)
		})
	}
	return c
}
