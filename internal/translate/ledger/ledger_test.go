package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/translate/ledger"
)

func TestKey(t *testing.T) {
	t.Parallel()
	q := ledger.Question{Provider: "openai", Model: "m", Params: "{}", Prompt: "p", Tenant: "t"}
	// The key is stored: this value changes only together with a migration of the ledger.
	require.Equal(t, "6a9c778e7f898c88af48dfe1962e64ebc3a3b9d1a8b3663a56a1005a580243fd", q.Key())
	keys := map[string]bool{q.Key(): true}
	for _, other := range []ledger.Question{
		{"openai", "m", "{}", "p", "u"}, {"openai", "m", "{}", "pt", ""}, {"openai", "m", "{}p", "", "t"},
		{"openaim", "", "{}", "p", "t"}, {"gemini", "m", "{}", "p", "t"},
	} {
		require.False(t, keys[other.Key()])
		keys[other.Key()] = true
	}
}
