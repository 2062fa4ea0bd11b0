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

	"plait/internal/pipeline"
)

// The bounds of a glossary.
const (
	MaxBytes   = 4 << 20
	MaxEntries = 20_000
	maxRunes   = 200
)

// Parse reads JSON, a list of entries, or else a table with a header: columns source and target, and any of case, part_of_speech,
// note and keep, parted by tabs or commas. It fails with CodeInvalidInput, and names the entry.
func Parse(b []byte) ([]Entry, error) {
	if len(b) > MaxBytes {
		return nil, pipeline.Errorf(pipeline.CodeTooLarge, "the glossary has more than %d bytes", MaxBytes)
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if !utf8.Valid(b) {
		return nil, pipeline.NewError(pipeline.CodeInvalidInput, "the glossary is not UTF-8")
	}
	var entries []Entry
	var err error
	if trimmed := bytes.TrimSpace(b); bytes.HasPrefix(trimmed, []byte("[")) {
		decoder := json.NewDecoder(bytes.NewReader(trimmed))
		decoder.DisallowUnknownFields()
		if err = decoder.Decode(&entries); err != nil {
			err = pipeline.Errorf(pipeline.CodeInvalidInput, "the glossary is no list of entries: %s", err.Error())
		}
	} else {
		entries, err = parseTable(b)
	}
	if err != nil {
		return nil, err
	}
	return entries, check(entries)
}

func check(entries []Entry) error {
	if len(entries) > MaxEntries {
		return pipeline.Errorf(pipeline.CodeTooLarge, "the glossary has more than %d entries", MaxEntries)
	}
	for i, e := range entries {
		for _, text := range []string{e.Source, e.Target, e.PartOfSpeech, e.Note} {
			if utf8.RuneCountInString(text) > maxRunes || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
				return pipeline.Errorf(pipeline.CodeInvalidInput, "entry %d of the glossary has a text of more than %d characters or of several lines", i+1, maxRunes)
			}
		}
		if strings.TrimSpace(e.Source) == "" || strings.TrimSpace(e.Target) == "" && !e.Keep {
			return pipeline.Errorf(pipeline.CodeInvalidInput, "entry %d of the glossary has no source, or neither a target nor keep", i+1)
		}
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
	header, err := r.Read()
	if err != nil {
		return nil, pipeline.NewError(pipeline.CodeInvalidInput, "the glossary has no header, such as source,target")
	}
	places := make([]int, len(columns))
	for i, name := range columns {
		places[i] = slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	if places[0] < 0 || places[1] < 0 {
		return nil, pipeline.NewError(pipeline.CodeInvalidInput, "the header of the glossary names no source or no target")
	}
	var entries []Entry
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, pipeline.Errorf(pipeline.CodeInvalidInput, "the glossary cannot be read: %s", err.Error())
		}
		e, err := entryOf(row, places)
		if err != nil {
			return nil, pipeline.Errorf(pipeline.CodeInvalidInput, "entry %d of the glossary: case and keep are true or false", len(entries)+1)
		}
		if entries = append(entries, e); len(entries) > MaxEntries {
			return entries, nil // which check refuses
		}
	}
}

func entryOf(row []string, places []int) (Entry, error) {
	var fields [6]string
	for i, at := range places {
		if at >= 0 && at < len(row) {
			fields[i] = strings.TrimSpace(row[at])
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
