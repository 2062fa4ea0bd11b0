package glossary

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"

	"plait/internal/translate/table"
)

// Write writes entries as JSON or as a table. [Parse] reads both.
func Write(w io.Writer, entries []Entry, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(append([]Entry{}, entries...))
	}
	return WriteTable(w, entries)
}

// WriteTable writes entries as a comma-separated table that [Parse] reads. No cell of it runs as a formula in a spreadsheet.
func WriteTable(w io.Writer, entries []Entry) error {
	rows := [][]string{columns}
	for _, e := range entries {
		rows = append(rows, []string{
			table.Cell(e.Source), table.Cell(e.Target), strconv.FormatBool(e.Case), table.Cell(e.PartOfSpeech), table.Cell(e.Note),
			strconv.FormatBool(e.Keep),
		})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
