package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"plait/internal/core"
)

const (
	// maxJSON is in bytes: enough for 4,000 files, each with a name and a blob.
	maxJSON = 4 << 20
	// maxTokens bounds the memory of the decoded body: 4,000 files of six tokens, and glossary.MaxEntries entries of fourteen. An empty
	// entry takes two bytes of JSON and a hundred bytes of memory.
	maxTokens = 320_000
)

// decodeJSON reads exactly one JSON object of most bytes at the largest. Unlike package json it refuses unknown fields, repeated fields, and
// fields in another case, because package json would ignore these mistakes.
func decodeJSON(r io.Reader, most int64, into any) error {
	b, err := readBounded(r, most, "the JSON body")
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return core.NewError(core.CodeInvalidInput, "the body is not UTF-8")
	}
	if !json.Valid(b) { // which copies nothing, and says nothing
		return core.Errorf(core.CodeInvalidInput, "the body is not JSON: %w", json.Unmarshal(b, new(json.RawMessage)))
	}
	if hasLoneSurrogate(b) {
		return core.NewError(core.CodeInvalidInput, "the body contains half of a surrogate pair, which is not a character")
	}
	if err := checkFields(b); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return wrongField("", d.Decode(into))
}

// hasLoneSurrogate reports whether a well-formed JSON text escapes one half of a surrogate pair alone; package json replaces it silently.
func hasLoneSurrogate(b []byte) bool {
	high := -1 // the offset at which the second half of a pair must start
	for at := 0; at < len(b); {
		next := bytes.IndexByte(b[at:], '\\')
		if next < 0 {
			break
		}
		at += next
		var unit uint64
		end := at + len(`\n`)
		if b[at+1] == 'u' {
			end = at + len(`\u0000`)
			unit, _ = strconv.ParseUint(string(b[at+2:end]), 16, 16) // cannot fail: the text is well-formed
		}
		isLow := unit >= 0xdc00 && unit <= 0xdfff
		if isLow && high != at || !isLow && high >= 0 {
			return true
		}
		if high = -1; unit >= 0xd800 && unit <= 0xdbff {
			high = end
		}
		at = end
	}
	return high >= 0
}

// wrongField rewrites an error of package json about a field in terms of JSON. The decoded value is that of field, or the whole body when
// field is empty.
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

// checkFields walks b, which is well-formed: it must be an object, and no object in it may repeat a field or use anything but a-z and _ in
// a name.
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

// object is an object or an array that has not been read to its end.
type object struct {
	array bool
	names map[string]bool
	// valueNext is true after a name, when its value comes next.
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
