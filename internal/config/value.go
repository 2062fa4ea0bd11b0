package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

// assign decodes value, a text or what the file's parser made of it, into the field of s, and checks its bounds and form.
func assign(c *Config, s Setting, value any) error {
	field := reflect.ValueOf(c).Elem().FieldByIndex(s.index)
	fresh := reflect.New(field.Type())
	if value = plain(value); value != "" {
		if err := decode(value, fresh.Interface(), s.Secret); err != nil {
			return err
		}
	}
	if err := bounds(s, fresh.Elem(), value == ""); err != nil {
		return err
	}
	if fresh.Elem().Kind() == reflect.String {
		if err := formed(s.Form, fresh.Elem().String()); err != nil {
			return err
		}
	}
	field.Set(fresh.Elem())
	return nil
}

// plain is a value of the file as it was written: 300 is no duration and 1.5 no whole number, in the file as elsewhere.
func plain(value any) any {
	switch value.(type) {
	case bool, int, int64, uint64, float64:
		return fmt.Sprint(value)
	default:
		return value
	}
}

func decode(value, into any, secret bool) error {
	d, err := mapstructure.NewDecoder(&mapstructure.DecoderConfig{
		Result:           into,
		WeaklyTypedInput: true,
		DecodeHook: mapstructure.ComposeDecodeHookFunc(
			mapstructure.TextUnmarshallerHookFunc(),
			mapstructure.StringToTimeDurationHookFunc(),
			pairsHook,
		),
	})
	if err != nil {
		return err
	}
	if err := d.Decode(value); err != nil {
		if secret {
			return errors.New("cannot be read")
		}
		return fmt.Errorf("%q is not %s", fmt.Sprint(value), describe(reflect.TypeOf(into).Elem()))
	}
	return nil
}

// pairsHook reads name=value,name=value into a map.
func pairsHook(from, to reflect.Type, value any) (any, error) {
	if from.Kind() != reflect.String || to.Kind() != reflect.Map {
		return value, nil
	}
	pairs := map[string]string{}
	for pair := range strings.SplitSeq(value.(string), ",") {
		name, v, found := strings.Cut(pair, "=")
		if !found || strings.TrimSpace(name) == "" {
			return nil, errors.New("not name=value,…")
		}
		pairs[strings.TrimSpace(name)] = strings.TrimSpace(v)
	}
	return pairs, nil
}

func describe(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "a duration, such as 30s"
	case t == reflect.TypeFor[Bytes]():
		return "an amount of bytes, such as 64MiB"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "a whole number"
	case t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.Map:
		return "name=value,…"
	default:
		return "a text"
	}
}

// bounds checks v against the min, max and oneof of s. Only what is empty by default may be empty.
func bounds(s Setting, v reflect.Value, empty bool) error {
	if empty && s.Default == "" {
		return nil
	}
	if empty {
		return fmt.Errorf("is empty; its default is %s", s.Default)
	}
	if len(s.OneOf) > 0 && !slices.Contains(s.OneOf, v.String()) {
		return fmt.Errorf("%q is not one of %s", v.String(), strings.Join(s.OneOf, ", "))
	}
	for _, b := range []struct {
		text string
		bad  func(cmp int) bool
		word string
	}{
		{s.Min, func(cmp int) bool { return cmp < 0 }, "less than"},
		{s.Max, func(cmp int) bool { return cmp > 0 }, "more than"},
	} {
		if b.text == "" {
			continue
		}
		bound := reflect.New(v.Type())
		if err := decode(b.text, bound.Interface(), false); err != nil {
			return fmt.Errorf("bound of the setting: %w", err)
		}
		if b.bad(compare(v, bound.Elem())) {
			return fmt.Errorf("%v is %s %s", v.Interface(), b.word, b.text)
		}
	}
	return nil
}

func compare(a, b reflect.Value) int {
	if a.CanFloat() {
		switch d := a.Float() - b.Float(); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	}
	switch d := a.Int() - b.Int(); {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// minToken is the least length of host_api.token: 16 random letters and digits are beyond guessing over a network.
const minToken = 16

// check finds what no single setting shows.
func (l *Loaded) check() []error {
	var problems []error
	if l.Limits.MaxPageBytes > l.Limits.MaxBody {
		problems = append(problems, fmt.Errorf("limits.max_page_bytes: %v is more than limits.max_body, %v", l.Limits.MaxPageBytes, l.Limits.MaxBody))
	}
	if l.HostAPI.Address != "" && len(l.HostAPI.Token) < minToken {
		problems = append(problems, fmt.Errorf("host_api.token: %d characters are too few for host_api.address; it has %d or more", len(l.HostAPI.Token), minToken))
	}
	return problems
}
