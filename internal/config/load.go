package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// DefaultFile is the settings file that is read, if it exists, when no other is named.
const DefaultFile = "plait.yaml"

// EnvAPIKey is the environment variable with the API key of a client. It is not a setting, but Load accepts it.
const EnvAPIKey = EnvPrefix + "API_KEY"

// envFile is the environment variable with the path of the settings file.
const envFile = EnvPrefix + "CONFIG"

// Sources are the sources of settings.
type Sources struct {
	// Flags has the values that were given as flags, by the setting's name.
	Flags map[string]string
	// Environ is the environment as "NAME=value" strings.
	Environ []string
	// File is the path of the settings file. Empty: PLAIT_CONFIG, or else DefaultFile if it exists.
	File string
}

// Loaded is a configuration with the origin of each value.
type Loaded struct {
	Config
	// Origin is "default", "flag --x", "environment X" or "file F", by the setting's name.
	Origin map[string]string
}

// Load reads all sources and checks the result. It returns all errors together, each with the name of its setting.
func Load(src Sources) (*Loaded, error) {
	l := &Loaded{Origin: map[string]string{}}
	var problems []error
	set := func(s Setting, value any, origin string) {
		if err := assign(&l.Config, s, value); err != nil {
			problems = append(problems, fmt.Errorf("%s (%s): %w", s.Name, origin, err))
			return
		}
		l.Origin[s.Name] = origin
	}

	env, unknown := environment(src.Environ)
	problems = append(problems, unknown...)
	values, path, err := readFile(src.File, env[envFile])
	if err != nil {
		problems = append(problems, err)
	}
	for _, s := range Settings() {
		set(s, s.Default, "default")
		if v, ok := values[s.Name]; ok {
			set(s, v, "file "+path)
		}
		for _, name := range slices.Backward(s.Env) {
			// An empty variable counts as unset, because shells and compose files often set one to nothing.
			if v := env[name]; v != "" {
				set(s, v, "environment "+name)
			}
		}
		switch v, ok := src.Flags[s.Name]; {
		case ok && s.Secret:
			problems = append(problems, fmt.Errorf("%s: a secret cannot be a flag; set %s or use the settings file", s.Name, s.Env[0]))
		case ok:
			set(s, v, "flag --"+s.Flag())
		}
	}
	if err := errors.Join(append(problems, l.check())...); err != nil {
		return nil, err
	}
	return l, nil
}

// environment returns the variables of settings, and an error for each variable that begins with PLAIT_ but is not that of a setting.
func environment(environ []string) (map[string]string, []error) {
	known := map[string]bool{envFile: true, EnvAPIKey: true}
	for _, s := range Settings() {
		for _, name := range s.Env {
			known[name] = true
		}
	}
	env := map[string]string{}
	var unknown []error
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		switch {
		case known[name]:
			env[name] = value
		case strings.HasPrefix(name, EnvPrefix+"TEST_"): // variables of the project's tests
		case strings.HasPrefix(name, EnvPrefix):
			unknown = append(unknown, fmt.Errorf("environment variable %s is not a setting", name))
		}
	}
	return env, unknown
}

// readFile returns the settings in the first named file, or else in DefaultFile, by their dotted names, and the path of the file. A missing
// DefaultFile has no settings; a missing named file is an error.
func readFile(paths ...string) (map[string]any, string, error) {
	path := DefaultFile
	named := false
	for _, p := range paths {
		if p != "" {
			path, named = p, true
			break
		}
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !named {
		return nil, "", nil
	}
	k := koanf.New(".")
	if err := k.Load(file.Provider(path), yaml.Parser()); err != nil {
		return nil, path, fmt.Errorf("settings file %s: %s", path, inOneLine(err))
	}
	values := map[string]any{}
	var unknown []error
	settings := Settings()
	for key, v := range k.All() {
		if v == nil && slices.ContainsFunc(settings, func(s Setting) bool { return s.Name == key || strings.HasPrefix(s.Name, key+".") }) {
			continue // a setting or section whose values are all commented out
		}
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == key || isMap(s) && strings.HasPrefix(key, s.Name+".") })
		if at < 0 {
			unknown = append(unknown, fmt.Errorf("settings file %s: %s is not a setting", path, key))
			continue
		}
		name := settings[at].Name
		values[name] = k.Get(name)
		if !isMap(settings[at]) {
			values[name] = v
		}
	}
	slices.SortFunc(unknown, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return values, path, errors.Join(unknown...)
}

// inOneLine returns the text of an error of the parser, which has several lines, in one line.
func inOneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

func isMap(s Setting) bool {
	return reflect.TypeFor[Config]().FieldByIndex(s.index).Type.Kind() == reflect.Map
}
