package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
)

// What models cost is listed by day and model with its sum, and as the API has it.
func TestCostsAreListed(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	in.up()
	_, err := in.database(in.located()).Exec(t.Context(), earlierCalls)
	require.NoError(t, err)
	does := func(args ...string) (lines []string) {
		t.Helper()
		f := in.plait(append([]string{"costs"}, args...)...)
		require.Zero(t, f.status, f.stderr)
		return strings.Split(strings.TrimSuffix(f.stdout, "\n"), "\n")
	}
	yesterday := time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly)
	list := does("--from", yesterday, "--to", yesterday)
	require.Len(t, list, 4)
	require.Equal(t, []string{yesterday, "openai", "medium", "1", "0", "9700", "4300", "0.4980"}, strings.Fields(list[1]))
	require.Equal(t, []string{yesterday, "openai", "small", "1", "0", "9700", "4300", "0.4150"}, strings.Fields(list[2]))
	require.Equal(t, []string{"total", "-", "-", "2", "0", "19400", "8600", "0.9130"}, strings.Fields(list[3]))

	var all []schema.Cost
	for _, line := range does("--json") {
		var c schema.Cost
		require.NoError(t, json.Unmarshal([]byte(line), &c))
		all = append(all, c)
	}
	require.Len(t, all, 40)
	require.Equal(t, does("--json"), does("--all", "--json"), "there is no other tenant")
	require.Equal(t, []string{"total"}, strings.Fields(does("--tenant", "press")[1])[:1], "it has none")

	f := in.plait("costs", "--from", "yesterday")
	require.NotZero(t, f.status)
	require.Contains(t, f.stderr, fmt.Sprintf("%q is not a day", "yesterday"))
	f = in.plait("costs", "--all", "--tenant", "press")
	require.Equal(t, exitUsage, f.status, f.stderr)
	require.Contains(t, f.stderr, "exclude each other")
}
