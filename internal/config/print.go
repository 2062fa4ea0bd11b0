package config

import (
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
)

// Hidden is shown instead of the value of a secret.
const Hidden = "(hidden)"

// Value returns the value of a setting as text: [Hidden] for a secret, and a URL without the secrets in it.
func (l *Loaded) Value(s Setting) string {
	v := reflect.ValueOf(l.Config).FieldByIndex(s.index)
	switch {
	case v.IsZero() && v.Kind() == reflect.String, v.Kind() == reflect.Map && v.Len() == 0:
		return ""
	case s.URL && strings.Contains(v.String(), "://"):
		return redacted(v.String())
	case s.Secret:
		return Hidden
	default:
		return fmt.Sprint(v.Interface())
	}
}

// Row is one line of the printed configuration.
type Row struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
	Env    string `json:"env"`
	Flag   string `json:"flag,omitempty"` // with dashes; empty for a secret
	Help   string `json:"help"`
}

// Rows returns the whole configuration, with hidden secrets.
func (l *Loaded) Rows() []Row {
	var rows []Row
	for _, s := range Settings() {
		row := Row{Name: s.Name, Value: l.Value(s), Origin: l.Origin[s.Name], Env: s.Env[0], Help: s.Help}
		if flag := s.Flag(); flag != "" {
			row.Flag = "--" + flag
		}
		rows = append(rows, row)
	}
	return rows
}

// Print writes the configuration as a table, with hidden secrets.
func (l *Loaded) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tVALUE\tORIGIN\tMEANING")
	for _, r := range l.Rows() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, r.Value, r.Origin, r.Help)
	}
	return t.Flush()
}

// Environ returns the configuration as environment variables, for a child process with the same configuration. The result contains
// secrets: use it only for exec.Cmd.Env.
func (l *Loaded) Environ() []string {
	var lines []string
	for _, s := range Settings() {
		if l.Origin[s.Name] == "default" {
			continue
		}
		v := reflect.ValueOf(l.Config).FieldByIndex(s.index)
		lines = append(lines, s.Env[0]+"="+textOf(v))
	}
	return lines
}

func joinPairs(pairs map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		parts = append(parts, name+"="+pairs[name])
	}
	return strings.Join(parts, ",")
}

// Shared returns the settings whose names begin with prefix, defaults included, for [Loaded.Complete] in another process of the same
// user. It replaces secrets by [Hidden], and omits secret URLs, for which Hidden would not be valid.
func (l *Loaded) Shared(prefix string) map[string]string {
	all := map[string]string{}
	for _, s := range Settings() {
		v := reflect.ValueOf(l.Config).FieldByIndex(s.index)
		switch {
		case !strings.HasPrefix(s.Name, prefix) || s.Secret && (s.URL || v.Kind() != reflect.String):
		case l.Origin[s.Name] == "default":
			all[s.Name] = s.Default
		case s.Secret:
			all[s.Name] = Hidden
		default:
			all[s.Name] = textOf(v)
		}
	}
	return all
}

// Complete takes over the values that [Loaded.Shared] returned in another process, and checks the result. It keeps values that were given
// as flags, and secrets that both processes have. It ignores unknown names.
func (l *Loaded) Complete(values map[string]string, origin string) error {
	for _, s := range Settings() {
		value, ok := values[s.Name]
		secretOfBoth := value == Hidden && s.Secret && l.Origin[s.Name] != "default"
		if !ok || secretOfBoth || strings.HasPrefix(l.Origin[s.Name], "flag ") {
			continue
		}
		if err := assign(&l.Config, s, value); err != nil {
			return fmt.Errorf("%s (%s): %w", s.Name, origin, err)
		}
		l.Origin[s.Name] = origin
	}
	return l.check()
}

// textOf returns a value as text that can be parsed as a setting again.
func textOf(v reflect.Value) string {
	if pairs, ok := v.Interface().(map[string]string); ok {
		return joinPairs(pairs)
	}
	return fmt.Sprint(v.Interface())
}
