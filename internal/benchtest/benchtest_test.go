package benchtest_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/benchtest"
)

func TestALineSaysWhereItComesFrom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "figures.jsonl")
	require.NoError(t, os.WriteFile(path, []byte("stale\n"), 0o600))
	require.NoError(t, flag.Set("figures", path))
	t.Cleanup(func() { require.NoError(t, flag.Set("figures", "")) })
	for i := range 2 {
		benchtest.Write(t, []string{"/somewhere/book/01.png", "02.jpg"}, map[string]int{"case": i})
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, lines, 2, "what the file held is gone")
	for i, line := range lines {
		var got struct {
			CPU, Commit, Date string
			Cores, Case       int
			Pages             []string `json:"page_names"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &got))
		require.Equal(t, []string{"book/01.png", "02.jpg"}, got.Pages)
		require.Equal(t, i, got.Case)
		require.NotEmpty(t, got.CPU)
		require.NotEmpty(t, got.Commit)
		require.Positive(t, got.Cores)
		_, err := time.Parse(time.DateOnly, got.Date)
		require.NoError(t, err)
	}
	_, err = benchtest.Line(t.Context(), nil, []int{1})
	require.ErrorContains(t, err, "no JSON object")
}
