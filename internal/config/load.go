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

// DefaultFile is the settings file read when none is named, if it is there.
const DefaultFile = "plait.yaml"

// EnvAPIKey holds the API key of a client. It is no setting of an installation, and no unknown one either.
const EnvAPIKey = EnvPrefix + "API_KEY"

// envFile names the settings file in the environment.
const envFile = EnvPrefix + "CONFIG"

// Sources are where settings come from.
type Sources struct {
	// Flags holds the flags that were given, by the setting's name.
	Flags map[string]string
	// Environ is the environment as "NAME=value" lines.
	Environ []string
	// File is the settings file; empty means PLAIT_CONFIG, else DefaultFile when it exists.
	File string
}

// Loaded is a configuration and where each of its values came from.
type Loaded struct {
	Config
	// Origin is, by a setting's name, "default", "flag --x", "environment X" or "file F".
	Origin map[string]string
}

// Load reads every source, the strongest last, and checks the result. All problems are reported together, each with
// the name of its setting.
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
			// An empty variable is how shells and compose files leave one unset.
			if v := env[name]; v != "" {
				set(s, v, "environment "+name)
			}
		}
		switch v, ok := src.Flags[s.Name]; {
		case ok && s.Secret:
			problems = append(problems, fmt.Errorf("%s: a secret is no flag; set %s or the settings file", s.Name, s.Env[0]))
		case ok:
			set(s, v, "flag --"+s.Flag())
		}
	}
	if err := errors.Join(append(problems, l.check())...); err != nil {
		return nil, err
	}
	return l, nil
}

// environment splits the variables and finds those that begin with PLAIT_ but name no setting.
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
		case strings.HasPrefix(name, EnvPrefix+"TEST_"): // where the project's own tests find their servers
		case strings.HasPrefix(name, EnvPrefix):
			unknown = append(unknown, fmt.Errorf("environment variable %s names no setting", name))
		}
	}
	return env, unknown
}

// readFile is the settings of the file by dotted name, and the file's path. No file is no setting, unless it was named.
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
			continue // what it says is in comments
		}
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == key || isMap(s) && strings.HasPrefix(key, s.Name+".") })
		if at < 0 {
			unknown = append(unknown, fmt.Errorf("settings file %s: %s names no setting", path, key))
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

// inOneLine is an error of the parser, which gives each of its findings a line.
func inOneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

func isMap(s Setting) bool {
	return reflect.TypeFor[Config]().FieldByIndex(s.index).Type.Kind() == reflect.Map
}
