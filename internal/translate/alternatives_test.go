package translate_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

// otherwise answers each segment in other words.
func otherwise(n *atomic.Int32) llmtest.Option {
	return llmtest.WithTranslate(func(string) string { return fmt.Sprintf("Good morning, say I, %c.", 'a'+n.Add(1)-1) })
}

// A text is asked for several times in one call, with what is known of it; the answer is recorded, and paid for once.
func TestAlternativesAreAskedForInOneCall(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	s := llmtest.New(t, otherwise(&n))
	l := &memory{}
	model := newTranslator(t, s, l).(translate.Alternator)
	r := request("おはよう！")
	r.Segments[0].Index = 7
	for range 2 {
		got, err := model.Alternatives(t.Context(), r, 3, []string{"Morning!", "Good morning, say I, b."})
		require.NoError(t, err)
		require.Equal(t, []core.Translation{{Index: 7, Text: "Good morning, say I, a."}, {Index: 7, Text: "Good morning, say I, c."}}, got.Translations,
			"what is known is no alternative")
	}
	require.Len(t, s.Calls(), 1)
	require.Contains(t, s.Calls()[0].User, "It is translated as:\nMorning!\nGood morning, say I, b.\n")
	require.Contains(t, s.Calls()[0].User, "<|3|>おはよう！")
}

func TestAModelWithoutAnotherTranslation(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(map[string]string{"おはよう！": "Morning!"}))
	_, err := newTranslator(t, s, &memory{}).(translate.Alternator).Alternatives(t.Context(), request("おはよう！"), 3, []string{"Morning!"})
	require.Equal(t, core.CodeTranslationInvalid, core.CodeOf(err), "%v", err)

	deepl := llmtest.New(t)
	_, err = newTranslator(t, deepl, &memory{}, func(c *translate.Config) {
		c.Provider = provider.Config{Kind: provider.DeepL, BaseURL: deepl.URL(), Key: "k"}
	}).(translate.Alternator).Alternatives(t.Context(), request("おはよう！"), 3, nil)
	require.Equal(t, core.CodeTranslatorMissing, core.CodeOf(err), "%v", err)
}
