package provider_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate/provider"
)

func TestAnthropicLearnsThatAModelTakesNoTemperature(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithFaults(llmtest.Reject(400, "", "temperature")))
	p := open(t, config(provider.Anthropic, s))
	for range 2 {
		_, err := p.Complete(t.Context(), prompt)
		require.NoError(t, err)
	}
	calls := s.Calls()
	require.Len(t, calls, 3)
	require.NotNil(t, calls[0].Temperature)
	require.Nil(t, calls[1].Temperature)
	require.Nil(t, calls[2].Temperature)
}

// A schema is asked for where the protocol has one, and done without where a server refuses it.
func TestSchema(t *testing.T) {
	t.Parallel()
	asked := prompt
	asked.Schema = true
	for _, kind := range []string{provider.OpenAI, provider.Gemini} {
		s := llmtest.New(t, llmtest.WithTable(map[string]string{secret: `a "quoted" line`}))
		got, err := open(t, config(kind, s)).Complete(t.Context(), asked)
		require.NoError(t, err)
		require.True(t, s.Calls()[0].Schema)
		require.JSONEq(t, `{"segments":[{"number":1,"text":"a \"quoted\" line"}]}`, got.Text)
	}
	s := llmtest.New(t, llmtest.WithFaults(llmtest.Reject(400, "unsupported_parameter", "response_format")))
	p := open(t, config(provider.OpenAI, s))
	for range 2 {
		got, err := p.Complete(t.Context(), asked)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(got.Text, "<|1|>"))
	}
	require.Equal(t, 3, s.CallCount())
}

func deepL(t *testing.T, s *llmtest.Server) provider.Provider {
	t.Helper()
	return open(t, provider.Config{Kind: provider.DeepL, BaseURL: s.URL(), Key: key})
}

func TestDeepL(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithModels(llmtest.DeepLModel), llmtest.WithKey(key), llmtest.WithTable(map[string]string{"犬": "dog", "猫": "cat"}))
	p := deepL(t, s)
	asked := provider.Prompt{System: "rules", User: "question", From: "zh-Hans", To: "en", Context: "前の頁"}
	for range 26 {
		asked.Segments = append(asked.Segments, "犬", "猫")
	}
	got, err := p.Complete(t.Context(), asked)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(got.Text, "<|1|>dog\n<|2|>cat\n"))
	require.True(t, strings.HasSuffix(got.Text, "\n<|52|>cat"))
	require.Equal(t, 52, got.InputTokens, "characters are what DeepL bills")
	calls := s.Calls()
	require.Len(t, calls, 2)
	require.Len(t, calls[0].Segments, 50)
	require.Equal(t, "EN-US", calls[0].System)
	require.Equal(t, "前の頁", calls[0].User)
	require.Equal(t, provider.DeepL, p.Name())
	require.Equal(t, "deepl", p.Model())
}

func TestDeepLsFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault llmtest.Fault
		code  core.Code
		says  string
	}{
		"key":       {llmtest.Status(403), core.CodeTranslatorRefused, "key"},
		"quota":     {llmtest.Status(456), core.CodeTranslatorRefused, "credit"},
		"wait":      {llmtest.RateLimit("3"), core.CodeTranslatorRateLimited, "wait"},
		"away":      {llmtest.Status(503), core.CodeTranslatorUnavailable, "not available"},
		"one short": {llmtest.Missing(1), core.CodeTranslatorUnavailable, "0 translations for 1 texts"},
		"no JSON":   {llmtest.WrongJSON(), core.CodeTranslatorUnavailable, "not a completion"},
		"cut":       {llmtest.Cut(), core.CodeTranslatorUnavailable, "cut"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.WithModels(llmtest.DeepLModel), llmtest.WithFaults(test.fault))
			_, err := deepL(t, s).Complete(t.Context(), provider.Prompt{To: "de", Segments: []string{"犬"}})
			require.Equal(t, test.code, core.CodeOf(err))
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), key)
		})
	}
}
