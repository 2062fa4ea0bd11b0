package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"plait/api/client/progress"
	"plait/installation"
	"plait/internal/files"
	"plait/internal/languages"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/glossary"
)

func newGlossary(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "glossary",
		Short: "Say what names and terms are called",
		Long: `Keep glossaries, and suggest entries for them.

A glossary is for translations into one language, of all tasks of a tenant or of one task, whose entries go before the tenant's. It
is a table with a header, parted by commas or tabs, or a JSON list: source, target, and any of case (upper and lower case matter),
part_of_speech, note, and keep (not translated). Only entries that occur on a page are sent to a model, and its answer is held to them.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newGlossarySet(a), newGlossaryShow(a), newGlossarySuggest(a))
	return c
}

// glossaryFlags say which glossary is meant.
type glossaryFlags struct {
	tenant, task, to string
	asJSON           bool
}

func (f *glossaryFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.tenant, "tenant", installation.LocalTenant, "whose glossary")
	c.Flags().StringVar(&f.task, "task", "", "the task that it is for (default: all of the tenant)")
	c.Flags().StringVar(&f.to, "to", "en", "language of the translations")
}

func (f *glossaryFlags) check(c *cobra.Command) (err error) {
	if f.to, err = languages.ParseTarget(f.to); err != nil {
		return usageError(c, err)
	}
	return nil
}

func newGlossarySet(a *app) *cobra.Command {
	f := &glossaryFlags{}
	c := &cobra.Command{
		Use:     "set FILE",
		Short:   "Replace a glossary by that of a file; one without entries removes it",
		Example: "  plait glossary set names.csv --to en",
		Args:    oneArgument("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			_, entries, err := readGlossary(args[0])
			if err != nil {
				return err
			}
			return withRecords(c.Context(), a, func(s *records.Store) error {
				if err := s.SetGlossary(c.Context(), f.tenant, f.task, f.to, entries); err != nil {
					return err
				}
				_, err := fmt.Fprintf(c.OutOrStdout(), "%s set\n", progress.Count(len(entries), "term"))
				return err
			})
		},
	}
	f.add(c)
	return c
}

// readGlossary is the glossary of a file, as the file has it and entry by entry.
func readGlossary(path string) ([]byte, []glossary.Entry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, files.Plain(err)
	}
	b, err := io.ReadAll(io.LimitReader(file, glossary.MaxBytes+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, nil, files.Plain(err)
	}
	entries, err := glossary.Parse(b)
	return b, entries, files.In(path, err)
}

func newGlossaryShow(a *app) *cobra.Command {
	f := &glossaryFlags{}
	c := &cobra.Command{
		Use:   "show",
		Short: "Print the entries that hold for a tenant, or for a task",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.check(c); err != nil {
				return err
			}
			return withRecords(c.Context(), a, func(s *records.Store) error {
				entries, err := s.Glossary(c.Context(), f.tenant, f.task, f.to)
				if err != nil {
					return err
				}
				return printGlossary(c.OutOrStdout(), entries, f.asJSON)
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&f.asJSON, "json", false, "as JSON")
	return c
}

func newGlossarySuggest(a *app) *cobra.Command {
	f := &glossaryFlags{}
	c := &cobra.Command{
		Use:   "suggest TASK",
		Short: "Print terms that a chapter has called the same several times",
		Long: `Print terms that a chapter has called the same several times, the most frequent first, as a table for "plait glossary set", or
for "plait translate --glossary" of the next chapter. Look it through before: a word that often stands beside a name may be taken for
it.`,
		Example: "  plait glossary suggest 01a1ff10-001f-7e30-be33-14ff820295cf > names.csv",
		Args:    oneArgument("TASK"),
		RunE: func(c *cobra.Command, args []string) error {
			return withRecords(c.Context(), a, func(s *records.Store) error {
				if _, err := s.Task(c.Context(), f.tenant, args[0]); err != nil {
					return err
				}
				pages, err := comicrecords.New(s).Script(c.Context(), args[0])
				if err != nil {
					return err
				}
				var pairs []glossary.Pair
				for _, page := range pages {
					for _, r := range page.Regions {
						pairs = append(pairs, glossary.Pair{Source: r.Source, Translation: r.Translation})
					}
				}
				return printGlossary(c.OutOrStdout(), glossary.Suggest(pairs), f.asJSON)
			})
		},
	}
	c.Flags().StringVar(&f.tenant, "tenant", installation.LocalTenant, "whose task")
	c.Flags().BoolVar(&f.asJSON, "json", false, "as JSON")
	return c
}

func printGlossary(w io.Writer, entries []glossary.Entry, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(append([]glossary.Entry{}, entries...))
	}
	table := csv.NewWriter(w)
	rows := [][]string{{"source", "target", "case", "part_of_speech", "note", "keep"}}
	for _, e := range entries {
		rows = append(rows, []string{e.Source, e.Target, strconv.FormatBool(e.Case), e.PartOfSpeech, e.Note, strconv.FormatBool(e.Keep)})
	}
	return table.WriteAll(rows)
}
