package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
)

// lineEncoder prints one JSON object a line, with texts as they are: nobody reads it as HTML.
func lineEncoder(out io.Writer) *json.Encoder {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e
}

// answer prints what a command says in the end: a text for people, or with asJSON a value.
func answer(c *cobra.Command, asJSON bool, value any, text string, a ...any) error {
	if asJSON {
		return lineEncoder(c.OutOrStdout()).Encode(value)
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), text, a...)
	return err
}

// table is how a list is printed for people: a header and a row for each element, whose cells are parted by tabs.
type table[T any] struct {
	header string
	row    func(T) string
}

// stream prints what list gives one by one, as a table, or with asJSON as one JSON object a line.
func (t table[T]) stream(out io.Writer, asJSON bool, list func(each func(T) error) error) error {
	if asJSON {
		e := lineEncoder(out)
		return list(func(element T) error { return e.Encode(element) })
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, t.header)
	err := list(func(element T) error {
		_, err := fmt.Fprintln(w, t.row(element))
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// print prints a list as stream does.
func (t table[T]) print(out io.Writer, asJSON bool, list []T) error {
	return t.stream(out, asJSON, func(each func(T) error) error {
		for _, element := range list {
			if err := each(element); err != nil {
				return err
			}
		}
		return nil
	})
}

// printed is the work of c that gets a list from the database or the API, and prints it. It adds the flag --json to c.
func printed[S, T any](c *cobra.Command, t table[T], get func(context.Context, S, []string) ([]T, error)) func(context.Context, S, []string) error {
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	return func(ctx context.Context, from S, args []string) error {
		list, err := get(ctx, from, args)
		if err != nil {
			return err
		}
		return t.print(c.OutOrStdout(), asJSON, list)
	}
}

// day is the date of a time, or a dash without one.
func day(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format(time.DateOnly)
}
