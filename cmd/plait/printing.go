package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// lineEncoder prints one JSON object a line, with texts as they are: nobody reads it as HTML.
func lineEncoder(out io.Writer) *json.Encoder {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e
}

// printList prints a table with a row for each element, whose cells are parted by tabs, or with asJSON one JSON object a line.
func printList[T any](out io.Writer, asJSON bool, list []T, header string, row func(T) string) error {
	e, t := lineEncoder(out), tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if !asJSON {
		fmt.Fprintln(t, header)
	}
	for _, element := range list {
		if !asJSON {
			fmt.Fprintln(t, row(element))
		} else if err := e.Encode(element); err != nil {
			return err
		}
	}
	return t.Flush()
}
