package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
)

const (
	// maxJSON is in bytes: 4,000 files of a name and a blob, and to spare.
	maxJSON = 4 << 20
	// maxTokens bounds what the bytes may become in memory: 4,000 files of six tokens, and glossary.MaxEntries entries of fourteen. An
	// empty entry takes two bytes of JSON and a hundred of memory.
	maxTokens = 320_000
)

// decodeJSON reads exactly one JSON object, of so many bytes at most. Unlike package json it refuses unknown fields, fields given twice, and fields
// in another case: each is a mistake that would be ignored otherwise.
func decodeJSON(r io.Reader, most int64, into any) error {
	b, err := readBounded(r, most, "the JSON body")
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return core.NewError(core.CodeInvalidInput, "the body is not UTF-8")
	}
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		return core.Errorf(core.CodeInvalidInput, "the body is not JSON: %w", err)
	}
	if hasLoneSurrogate(b) {
		return core.NewError(core.CodeInvalidInput, "the body holds half of a surrogate pair, which is no character")
	}
	if err := checkFields(b); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return wrongField("", d.Decode(into))
}

// escape is a backslash with what belongs to it.
var escape = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|.)`)

// hasLoneSurrogate reports whether a JSON text escapes half of a pair alone, which package json replaces in silence.
func hasLoneSurrogate(b []byte) bool {
	high := -1 // where the second half of a pair belongs
	for _, at := range escape.FindAllIndex(b, -1) {
		var unit uint64
		if at[1]-at[0] == len(`\u0000`) {
			unit, _ = strconv.ParseUint(string(b[at[0]+2:at[1]]), 16, 16) // the pattern lets digits in alone
		}
		isLow := unit >= 0xdc00 && unit <= 0xdfff
		if isLow && high != at[0] || !isLow && high >= 0 {
			return true
		}
		if high = -1; unit >= 0xd800 && unit <= 0xdbff {
			high = at[1]
		}
	}
	return high >= 0
}

// wrongField puts what package json says about a field into words of JSON. The value that was decoded is that of the field, or the
// body when it is empty.
func wrongField(field string, err error) error {
	var wrong *json.UnmarshalTypeError
	if err == nil {
		return nil
	}
	if errors.As(err, &wrong) {
		what, path := "the body", strings.Trim(field+"."+wrong.Field, ".")
		if path != "" {
			what = "field " + clip(path)
		}
		return core.Errorf(core.CodeInvalidInput, "%s is a JSON %s where a JSON %s is required", what, wrong.Value, jsonKind(wrong.Type))
	}
	if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return core.Errorf(core.CodeInvalidInput, "field %s is not known", clip(name))
	}
	return core.Wrap(core.CodeInvalidInput, err, "the body does not have the form of the resource")
}

func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int64:
		return "whole number"
	default:
		return "number"
	}
}

// checkFields walks b, which is well-formed: it must be an object, and no object in it may name a field twice or with
// anything but a-z and _.
func checkFields(b []byte) error {
	if first := bytes.TrimLeft(b, " \t\r\n"); first[0] != '{' {
		return core.NewError(core.CodeInvalidInput, "the body is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(b))
	var open []*object
	for count := 0; ; count++ {
		if count > maxTokens {
			return core.NewError(core.CodeTooLarge, "the JSON body has too many values")
		}
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return core.Errorf(core.CodeInvalidInput, "the body is not JSON: %w", err)
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 {
			if err := open[len(open)-1].take(token); err != nil {
				return err
			}
		}
		if token == json.Delim('{') || token == json.Delim('[') {
			open = append(open, &object{array: token == json.Delim('[')})
		}
	}
}

// object is an object, or an array, of which not all is read.
type object struct {
	array bool
	names map[string]bool
	// valueNext says that a name was read, and its value is next.
	valueNext bool
}

func (o *object) take(token json.Token) error {
	if o.array {
		return nil
	}
	if o.valueNext {
		o.valueNext = false
		return nil
	}
	o.valueNext = true
	name, _ := token.(string)
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return core.Errorf(core.CodeInvalidInput, "field %q is not known", clip(name))
	}
	if o.names[name] {
		return core.Errorf(core.CodeInvalidInput, "field %s is given twice", clip(name))
	}
	if o.names == nil {
		o.names = map[string]bool{}
	}
	o.names[name] = true
	return nil
}
