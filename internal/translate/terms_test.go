package translate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate/glossary"
)

var terms = []glossary.Entry{
	{Source: "太郎", Target: "Taro", PartOfSpeech: "name", Note: "the older brother"}, {Source: "NASA", Keep: true}, {Source: "花子", Target: "Hanako"},
}

// Only the terms of the page are sent. An answer against them is asked for once more, alone and with a reminder.
func TestTermsAreSentAndHeldTo(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(map[string]string{"太郎だ！": "It's Taro!", "行こう": "Let's go."}),
		llmtest.WithFaults(llmtest.Say(1, "It's Tarou!")))
	r := request("太郎だ！", "行こう")
	r.Glossary = terms
	r.Cast = []glossary.Entry{{Source: "太郎", Target: "Tarou"}, {Source: "行こう", Target: "Ikou"}, {Source: "次郎", Target: "Jiro"}}
	got, err := newTranslator(t, s, &memory{}).Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"It's Taro!", "Let's go."}, texts(got))
	calls := s.Calls()
	require.Len(t, calls, 2)
	require.Contains(t, calls[0].User, "太郎 = Taro (name; the older brother)\n")
	require.Contains(t, calls[0].User, "Called so far in this chapter:\n行こう = Ikou\n\n", "the glossary goes before what was said")
	require.NotContains(t, calls[0].User, "花子")
	require.NotContains(t, calls[0].User, "NASA")
	require.NotContains(t, calls[0].User, "must call")
	require.Equal(t, []string{"太郎だ！"}, calls[1].Segments)
	require.Contains(t, calls[1].User, `Segment 1 must call 太郎 "Taro".`)
}

// A model that goes against a term twice may know better, and a translation is better than none.
func TestAModelThatInsistsAgainstATermIsBelieved(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]llmtest.Fault{"insists": llmtest.Say(1, "It's Tarou!"), "goes astray": llmtest.Missing(1)} {
		s := llmtest.New(t, llmtest.WithFaults(llmtest.Say(1, "It's Tarou!"), second))
		r := request("太郎だ！")
		r.Glossary = terms
		got, err := newTranslator(t, s, &memory{}).Translate(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, []core.Translation{{Text: "It's Tarou!"}}, got.Translations, name)
		require.Equal(t, 2, s.CallCount(), name)
	}
}
