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
	// URL says that its text may be a URL, which is shown without the secrets in it.
	URL bool

	index []int
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
