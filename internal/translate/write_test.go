package translate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
)

func TestAModelWritesATextOnce(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithFaults(
		llmtest.Answer("<think>a whale, so…</think>\n\"A whale glides\nover the sea.\""), llmtest.Answer(strings.Repeat("long ", 200)),
		llmtest.Answer(" "), llmtest.ContentFilter(),
	))
	writer, able := newTranslator(t, s, &memory{}).(translate.Writer)
	require.True(t, able)
	r := translate.WriteRequest{Page: core.Item{TaskID: "task", Tenant: "tenant"}, System: "Rewrite the prompt.", User: "a whale", Most: 100}
	for range 2 {
		text, err := writer.Write(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, "A whale glides over the sea.", text)
	}
	require.Equal(t, 1, s.CallCount(), "the second answer is the recorded one")
	for _, user := range []string{"too long", "empty", "refused"} {
		r.User = user
		_, err := writer.Write(t.Context(), r)
		require.Equal(t, core.CodeTranslationInvalid, core.CodeOf(err), user)
	}
}
