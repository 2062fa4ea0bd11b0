package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
)

// assign decodes value into the field of s. value is a text, or what the parser of the file returned. Only a setting without a default
// may be empty.
func assign(c *Config, s Setting, value any) error {
	field := reflect.ValueOf(c).Elem().FieldByIndex(s.index)
	fresh := reflect.New(field.Type())
	value = plain(value)
	switch {
	case value == "" && s.Default != "":
		return fmt.Errorf("is empty; its default is %s", s.Default)
	case value != "":
		if err := decode(value, fresh.Interface(), s.Secret); err != nil {
			return err
		}
	}
	field.Set(fresh.Elem())
	return nil
}

// plain converts a number or bool of the file to text, so that the same rules apply as for flags: 300 is not a duration, and 1.5 is not a
// whole number.
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
			listHook,
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

// pairsHook is a decode hook that parses name=value,name=value into a map.
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

// listHook is a decode hook that turns a list of the file into the text of a list.
func listHook(_, to reflect.Type, value any) (any, error) {
	list, ok := value.([]any)
	if !ok || to != reflect.TypeFor[Networks]() && to != reflect.TypeFor[Origins]() {
		return value, nil
	}
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ","), nil
}

func describe(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "a duration, such as 30s"
	case t == reflect.TypeFor[Bytes]():
		return "an amount of bytes, such as 64MiB"
	case t == reflect.TypeFor[Networks]():
		return "a list of networks, such as 10.1.0.0/16,fd12::/64"
	case t == reflect.TypeFor[Origins]():
		return "a list of origins, such as https://studio.example"
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
