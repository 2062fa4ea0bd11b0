package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/translate/provider"
)

func TestDevLLMServesAndTellsWhatItSaw(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, w := io.Pipe()
	root := newRoot()
	root.SetArgs([]string{"dev", "llm", "--address", "127.0.0.1:0", "--rate", "1", "--faults", "missing,no_usage", "--latency", "1ms"})
	root.SetOut(w)
	done := make(chan error, 1)
	go func() {
		done <- root.ExecuteContext(ctx)
		_ = w.Close()
	}()
	lines := bufio.NewScanner(out)
	require.True(t, lines.Scan())
	p, err := provider.Open(provider.Config{Kind: provider.OpenAI, BaseURL: strings.Fields(lines.Text())[1], Model: "test-model"})
	require.NoError(t, err)
	got, err := p.Complete(ctx, provider.Prompt{System: "rules", User: "<|1|>おはよう"})
	require.NoError(t, err)
	require.Zero(t, got.InputTokens)
	require.NotContains(t, got.Text, "<|1|>~")

	stop()
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "{") {
		require.NotEmpty(t, lines.Text())
	}
	var seen struct {
		Calls       int            `json:"calls"`
		InputTokens int            `json:"input_tokens"`
		Faults      map[string]int `json:"faults"`
	}
	require.NoError(t, json.Unmarshal(lines.Bytes(), &seen))
	require.NoError(t, <-done)
	require.Equal(t, 1, seen.Calls)
	require.Positive(t, seen.InputTokens)
	require.Equal(t, map[string]int{"missing": 1, "no_usage": 1}, seen.Faults)
}
