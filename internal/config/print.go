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

// Hidden stands for a secret that is set.
const Hidden = "(hidden)"

// Value is the value of a setting as text, secrets hidden. Of a URL everything is shown but its passwords.
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
	Flag   string `json:"flag,omitempty"` // empty for a secret
	Help   string `json:"help"`
}

// Rows is the whole configuration, secrets hidden.
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

// Print writes the configuration as a table.
func (l *Loaded) Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tVALUE\tORIGIN\tMEANING")
	for _, r := range l.Rows() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, r.Value, r.Origin, r.Help)
	}
	return t.Flush()
}

// Environ is the configuration as environment variables, for a child process that shall have the same. It holds
// secrets: it is for exec.Cmd.Env alone.
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

// Shared are the settings below a prefix by name, also those at their defaults, for another process of the same person. A secret that is
// set is replaced by [Hidden]; a secret URL is left out, because that would not pass its check.
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

// Complete takes the values that another process has as [Loaded.Shared], but for the flags of this process, and checks the result. A
// secret that both have stays as it is here. Unknown names are ignored.
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

// textOf is a value as sources write it.
func textOf(v reflect.Value) string {
	if pairs, ok := v.Interface().(map[string]string); ok {
		return joinPairs(pairs)
	}
	return fmt.Sprint(v.Interface())
}
