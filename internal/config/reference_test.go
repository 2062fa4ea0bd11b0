package config_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/config"
)

var update = flag.Bool("update", false, "write the table of settings into docs/configuration.md")

const (
	reference = "../../docs/configuration.md"
	tableHead = "| setting | default | environment | meaning |\n|---|---|---|---|\n"
)

// docs/configuration.md must list every setting as the struct tags describe it.
func TestTheReferenceListsEverySetting(t *testing.T) {
	page, err := os.ReadFile(reference)
	require.NoError(t, err)
	prose, _, found := strings.Cut(string(page), tableHead)
	require.True(t, found, "%s has no table of settings", reference)

	var table strings.Builder
	for _, s := range config.Settings() {
		var names []string
		for _, name := range s.Env {
			names = append(names, "`"+name+"`")
		}
		value := ""
		if s.Default != "" {
			value = "`" + s.Default + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", s.Name, value, strings.Join(names, ", "), strings.ReplaceAll(s.Help, "|", `\|`))
	}
	want := prose + tableHead + table.String()
	if *update {
		require.NoError(t, os.WriteFile(reference, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(page), "run go test ./internal/config -update")
}
