package glossary

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
)

// Write writes entries as JSON or as a table. [Parse] reads both.
func Write(w io.Writer, entries []Entry, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(append([]Entry{}, entries...))
	}
	return WriteTable(w, entries)
}

// WriteTable writes entries as a comma-separated table that [Parse] reads.
func WriteTable(w io.Writer, entries []Entry) error {
	rows := [][]string{columns}
	for _, e := range entries {
		rows = append(rows, []string{e.Source, e.Target, strconv.FormatBool(e.Case), e.PartOfSpeech, e.Note, strconv.FormatBool(e.Keep)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
