package config

import (
	"reflect"
	"strings"
)

// EnvPrefix begins the environment variable of every setting.
const EnvPrefix = "PLAIT_"

// Setting is one setting as its tags describe it.
type Setting struct {
	// Name is the dotted name: database.url.
	Name string
	// Env are the variables that set it, the first one winning.
	Env []string
	// Default is its default as text, empty for none.
	Default string
	Help    string
	Secret  bool
	// Min, Max and OneOf are the bounds as text; empty for none.
	Min, Max string
	OneOf    []string
	// Form is what its text looks like, as the tag form says it; empty for any text.
	Form string

	index []int
}

// replaced are former settings, each with what to say in its place.
var replaced = map[string]string{
	"translator.input_price":  "translator.prices, as model=input/output",
	"translator.output_price": "translator.prices, as model=input/output",
}

// inPlaceOf is what stands in the place of a name that is no setting, for the end of a sentence; empty when it never was one.
func inPlaceOf(name string) string {
	if now, ok := replaced[name]; ok {
		return ": it is now " + now
	}
	return ""
}

// envOf is the variable of a setting.
func envOf(name string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// Flag is the name of the flag, without dashes in front. A secret has none: every user of a machine reads the flags of its processes.
func (s Setting) Flag() string {
	if s.Secret {
		return ""
	}
	return strings.NewReplacer(".", "-", "_", "-").Replace(s.Name)
}

// Settings are all settings in the order of the struct.
func Settings() []Setting { return collect(reflect.TypeFor[Config](), "", nil) }

func collect(t reflect.Type, prefix string, index []int) []Setting {
	var all []Setting
	for i := range t.NumField() {
		f := t.Field(i)
		name := prefix + f.Tag.Get("key")
		at := append(append([]int(nil), index...), i)
		if f.Type.Kind() == reflect.Struct {
			all = append(all, collect(f.Type, name+".", at)...)
			continue
		}
		s := Setting{
			Name:    name,
			Env:     []string{envOf(name)},
			Default: f.Tag.Get("def"),
			Help:    f.Tag.Get("help"),
			Secret:  f.Tag.Get("secret") == "true",
			Min:     f.Tag.Get("min"),
			Max:     f.Tag.Get("max"),
			Form:    f.Tag.Get("form"),
			index:   at,
		}
		if usual := f.Tag.Get("env"); usual != "" {
			s.Env = append(s.Env, usual)
		}
		if values := f.Tag.Get("oneof"); values != "" {
			s.OneOf = strings.Split(values, ",")
		}
		all = append(all, s)
	}
	return all
}
