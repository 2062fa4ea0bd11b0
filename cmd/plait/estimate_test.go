package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/translators"
)

// An estimate reads the pages, asks nobody, and counts what would be sent.
func TestEstimateCountsWithoutAsking(t *testing.T) {
	t.Parallel()
	in := newUnwatched(t)
	server := llmtest.New(t)
	in.env = append(in.env, "OPENAI_BASE_URL="+server.OpenAIURL(), "PLAIT_TRANSLATOR_MODEL="+server.Model(), "PLAIT_TRANSLATOR_PRICES="+server.Model()+"=0.5/2")
	f := in.plait("estimate", smallBook(t), "--from", "ja", "--json")
	require.Zero(t, f.status, f.stderr)
	var got translators.Estimate
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &got))
	require.Zero(t, server.CallCount(), "nothing is paid")
	require.Positive(t, got.Pages)
	require.Positive(t, got.Regions)
	require.Positive(t, got.Calls)
	require.InDelta(t, 0.5*float64(got.InputTokens)+2*float64(got.OutputTokens), got.CostMicros, 1)
	require.Equal(t, server.Model(), got.Model)

	f = in.plait("estimate", smallBook(t), "--from", "ja", "--json", "--synopsis", "A cat and a girl count the stars.")
	require.Zero(t, f.status, f.stderr)
	var told translators.Estimate
	require.NoError(t, json.Unmarshal([]byte(f.stdout), &told))
	require.Greater(t, told.InputTokens, got.InputTokens)

	f = in.plait("estimate", smallBook(t), "--from", "ja")
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, f.stdout, "openai test-model")
	require.Regexp(t, `(?m)^cost 0\.\d{4} in the currency of translator\.prices$`, f.stdout)
	require.True(t, got.Priced)

	f = in.plait("estimate", example("small", "01.png"), "--from", "ja", "--translator-prices", "gpt=1/2")
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, f.stdout, "\ncost not known: translator.prices has no price of test-model\n")
	f = in.plait("estimate", example("small", "01.png"), "--from", "ja", "--translator-prices", "test=0/0")
	require.Zero(t, f.status, f.stderr)
	require.Contains(t, f.stdout, "\ncost 0.0000 in the currency of translator.prices\n", "a model of one's own costs nothing")

	f = in.plait("estimate", smallBook(t), "--translator-prices", "test-model=cheap")
	require.NotZero(t, f.status)
	require.Contains(t, f.stderr, "input/output")
}
