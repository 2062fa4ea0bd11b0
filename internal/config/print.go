package config

import (
	"fmt"
	"io"
	"net/url"
	"reflect"
	"text/tabwriter"
)

// hidden stands for a secret that is set.
const hidden = "(hidden)"

// Value is the value of a setting as text, secrets hidden. Of a database URL all but the password is shown.
func (l *Loaded) Value(s Setting) string {
	v := reflect.ValueOf(l.Config).FieldByIndex(s.index)
	switch {
	case v.IsZero() && v.Kind() == reflect.String, v.Kind() == reflect.Map && v.Len() == 0:
		return ""
	case s.Secret:
		if u, err := url.Parse(v.String()); v.Kind() == reflect.String && err == nil && u.Scheme != "" && u.Host != "" && u.RawQuery == "" {
			return u.Redacted()
		}
		return hidden
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
	Flag   string `json:"flag"`
	Help   string `json:"help"`
}

// Rows is the whole configuration, secrets hidden.
func (l *Loaded) Rows() []Row {
	var rows []Row
	for _, s := range Settings() {
		rows = append(rows, Row{
			Name: s.Name, Value: l.Value(s), Origin: l.Origin[s.Name],
			Env: s.Env[0], Flag: "--" + s.Flag(), Help: s.Help,
		})
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
