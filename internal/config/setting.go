package config

import (
	"reflect"
	"strings"
)

// EnvPrefix is the prefix of the environment variable of every setting.
const EnvPrefix = "PLAIT_"

// Setting describes one setting, as its tags do.
type Setting struct {
	// Name is the dotted name, such as database.url.
	Name string
	// Env are the environment variables that set it; the first one has priority.
	Env []string
	// Default is the default as text; empty for none.
	Default string
	Help    string
	Secret  bool
	// URL says that the value may be a URL, which is shown without its secrets.
	URL bool

	index []int // of the field in Config, as reflect.Value.FieldByIndex takes it
}

// envOf returns the environment variable of a setting.
func envOf(name string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(name, ".", "_"))
}

// Flag returns the name of the flag, without leading dashes. It returns "" for a secret, because every user of a machine can read the
// flags of its processes.
func (s Setting) Flag() string {
	if s.Secret {
		return ""
	}
	return strings.NewReplacer(".", "-", "_", "-").Replace(s.Name)
}

// Settings returns all settings in the order of the struct.
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
			URL:     strings.Contains(f.Tag.Get("validate"), "scheme="),
			index:   at,
		}
		if usual := f.Tag.Get("env"); usual != "" {
			s.Env = append(s.Env, usual)
		}
		all = append(all, s)
	}
	return all
}
