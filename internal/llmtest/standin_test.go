package llmtest_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
)

func TestStandInsKeepWhatATranslationKeeps(t *testing.T) {
	t.Parallel()
	const source = "The <s1>mass</s1> {v0} of 12 stars (see Fig. 3) grows with {v1}."
	for name, c := range map[string]struct {
		script string
		length float64
		want   string
	}{
		"Latin":        {"", 1, "Bum <s1>tero</s1> {v0} ku 12 vibig (kif Lab. 3) fiven nusi {v1}."},
		"Chinese":      {"zh", 1, "好<s1>后</s1>{v0}我12么就(那然.3)家那下{v1}."},
		"longer Latin": {"", 1.4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := llmtest.StandIn(c.script, c.length)(source)
			require.Equal(t, got, llmtest.StandIn(c.script, c.length)(source))
			require.Contains(t, got, "{v0}")
			require.Contains(t, got, "</s1>")
			if c.length == 1 && c.script == "" {
				require.Equal(t, utf8.RuneCountInString(source), utf8.RuneCountInString(got))
			}
			if c.want != "" {
				require.Equal(t, c.want, got)
			}
		})
	}
}
