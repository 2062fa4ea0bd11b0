package provider_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/translate/provider"
)

// An answer is paid for whatever its usage says. Counts that no call can have are no counts.
func TestImpossibleUsageIsNone(t *testing.T) {
	t.Parallel()
	for name, usage := range map[string]struct{ input, output int }{
		"more than any model takes": {12, 99_999_999_999},
		"negative output":           {12, -1},
		"negative input":            {-5, 20},
		"the largest there is":      {math.MaxInt64, math.MaxInt64},
		"just too many":             {provider.MaxUsageTokens + 1, 20},
	} {
		for _, kind := range kinds {
			t.Run(name+" from "+kind, func(t *testing.T) {
				t.Parallel()
				s := llmtest.New(t, llmtest.WithTable(map[string]string{secret: "a line"}), llmtest.WithFaults(llmtest.Usage(usage.input, usage.output)))
				got, err := open(t, config(kind, s)).Complete(t.Context(), prompt)
				require.NoError(t, err)
				require.Equal(t, "<|1|>a line", got.Text)
				require.Zero(t, got.InputTokens)
				require.Zero(t, got.OutputTokens)
			})
		}
	}
}

func TestPossibleUsageIsKept(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t, llmtest.WithFaults(llmtest.Usage(provider.MaxUsageTokens-20, 20)))
		got, err := open(t, config(kind, s)).Complete(t.Context(), prompt)
		require.NoError(t, err)
		require.Equal(t, provider.MaxUsageTokens-20, got.InputTokens, kind)
		require.Equal(t, 20, got.OutputTokens, kind)
	}
}
