package glossary

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
	"plait/internal/translate/table"
)

// The bounds of a glossary.
const (
	MaxBytes   = 4 << 20
	MaxEntries = 20_000
	maxRunes   = 200
)

// Parse reads JSON, a list of entries, or else a table with a header: columns source and target, and any of case, part_of_speech, note and
// keep, separated by tabs or commas. It fails with CodeInvalidInput and names the entry or the line, and with CodeTooLarge.
func Parse(b []byte) ([]Entry, error) {
	if len(b) > MaxBytes {
		return nil, core.Errorf(core.CodeTooLarge, "the glossary has more than %d bytes", MaxBytes)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !utf8.Valid(b) {
		return nil, core.NewError(core.CodeInvalidInput, "the glossary is not UTF-8")
	}
	trimmed := bytes.TrimSpace(b)
	if !bytes.HasPrefix(trimmed, []byte("[")) {
		return parseTable(b)
	}
	if table.Values(trimmed) >= MaxEntries*len(columns) {
		return nil, errTooMany
	}
	var entries []Entry
	decoder := json.NewDecoder(bytes.NewReader(trimmed))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&entries); err != nil {
		return nil, core.Errorf(core.CodeInvalidInput, "the glossary is not a list of entries: %s", err.Error())
	}
	return entries, Check(entries)
}

// Check applies the same bounds to entries that were not read by Parse.
func Check(entries []Entry) error {
	if len(entries) > MaxEntries {
		return errTooMany
	}
	for i, e := range entries {
		if err := e.check("entry " + strconv.Itoa(i+1)); err != nil {
			return err
		}
	}
	return nil
}

var errTooMany = core.Errorf(core.CodeTooLarge, "the glossary has more than %d entries", MaxEntries)

// check validates the entry; place is its position, for the error.
func (e Entry) check(place string) error {
	for _, text := range []string{e.Source, e.Target, e.PartOfSpeech, e.Note} {
		if utf8.RuneCountInString(text) > maxRunes || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
			return core.Errorf(core.CodeInvalidInput, "glossary, %s: a text has more than %d characters, or several lines", place, maxRunes)
		}
	}
	if strings.TrimSpace(e.Source) == "" || strings.TrimSpace(e.Target) == "" && !e.Keep {
		return core.Errorf(core.CodeInvalidInput, "glossary, %s: the source is missing, or both target and keep are", place)
	}
	return nil
}

// columns are the names of the header, in the order of fields.
var columns = []string{"source", "target", "case", "part_of_speech", "note", "keep"}

func parseTable(b []byte) ([]Entry, error) {
	r := csv.NewReader(bytes.NewReader(b))
	r.FieldsPerRecord = -1
	if line, _, _ := bytes.Cut(b, []byte("\n")); bytes.ContainsRune(line, '\t') {
		r.Comma, r.LazyQuotes = '\t', true
	}
	if line := table.TooWide(b, byte(r.Comma)); line > 0 {
		return nil, core.Errorf(core.CodeInvalidInput, "glossary, line %d: more than %d cells", line, table.MaxColumns)
	}
	header, err := r.Read()
	if err != nil {
		return nil, core.NewError(core.CodeInvalidInput, "the glossary has no header, such as source,target")
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		places[i] = slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	if places[0] < 0 || places[1] < 0 {
		return nil, core.NewError(core.CodeInvalidInput, "the header of the glossary names no source or no target")
	}
	var entries []Entry
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, core.Errorf(core.CodeInvalidInput, "the glossary cannot be read: %s", err.Error())
		}
		line, _ := r.FieldPos(0)
		e, err := entryOf(row, places)
		if err != nil {
			return nil, core.Errorf(core.CodeInvalidInput, "glossary, line %d: case and keep are true or false", line)
		}
		if err := e.check("line " + strconv.Itoa(line)); err != nil {
			return nil, err
		}
		if entries = append(entries, e); len(entries) > MaxEntries {
			return nil, errTooMany
		}
	}
}

func entryOf(row []string, places []int) (Entry, error) {
	var fields [6]string
	for i, at := range places {
		if at >= 0 && at < len(row) {
			fields[i] = table.Text(strings.TrimSpace(row[at]))
		}
	}
	e := Entry{Source: fields[0], Target: fields[1], PartOfSpeech: fields[3], Note: fields[4]}
	var err error
	if fields[2] != "" {
		e.Case, err = strconv.ParseBool(fields[2])
	}
	if fields[5] != "" && err == nil {
		e.Keep, err = strconv.ParseBool(fields[5])
	}
	return e, err
}
