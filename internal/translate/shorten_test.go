package translate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

func long(index int, source, translation string, room int) translate.LongText {
	return translate.LongText{Segment: translate.Segment{Index: index, Text: source}, Translation: translation, Room: room}
}

func shortenRequest(texts ...translate.LongText) translate.ShortenRequest {
	return translate.ShortenRequest{Page: request().Page, From: "ja", To: "en", Texts: texts}
}

// What does not fit is asked for once, with its room; a second asking of the same takes the recorded answer.
func TestShorterTextsAreAskedForOnce(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(table))
	l := &memory{}
	shortener := newTranslator(t, s, l).(translate.Shortener)
	r := shortenRequest(long(2, "おはよう！", "Good morning to all of you!", 8), long(5, "行こう", "Let's go, all of us.", 60))
	got, err := shortener.Shorten(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 2, Text: "Good"}, {Index: 5, Text: "Let's go."}}, got.Translations)
	require.Equal(t, 1, got.Paid)
	require.Contains(t, s.Calls()[0].User, "Segment 1 has room for 7 characters, and this has 27: Good morning to all of you!")
	require.Len(t, l.recorded(), 1)

	again, err := shortener.Shorten(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, got.Translations, again.Translations)
	require.Zero(t, again.Paid)
	require.Equal(t, 1, s.CallCount())
}

// What is no fit answer, or no shorter one, changes nothing, and is not asked for again.
func TestATextStaysWhereNoShorterOneIsHad(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]llmtest.Fault{
		"longer": llmtest.Say(1, "A very good morning to each and every one of you!"), "missing": llmtest.Missing(1), "empty": llmtest.Empty(1),
		"untranslated": llmtest.Echo(1), "refused": llmtest.RefuseInWords(), "filtered": llmtest.ContentFilter(),
	} {
		s := llmtest.New(t, llmtest.WithTable(table), llmtest.WithFaults(fault))
		got, err := newTranslator(t, s, &memory{}).(translate.Shortener).Shorten(t.Context(), shortenRequest(long(0, "おはよう！", "Good morning to all of you!", 20)))
		require.NoError(t, err, name)
		require.Empty(t, got.Translations, name)
		require.Equal(t, 1, s.CallCount(), name)
	}
}

func TestDeepLIsNotAskedForAnythingShorter(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t)
	translator := newTranslator(t, s, &memory{}, func(c *translate.Config) {
		c.Provider = provider.Config{Kind: provider.DeepL, BaseURL: s.URL(), Key: "k"}
	})
	got, err := translator.(translate.Shortener).Shorten(t.Context(), shortenRequest(long(0, "おはよう！", "Good morning to all of you!", 8)))
	require.NoError(t, err)
	require.Empty(t, got.Translations)
	require.Zero(t, s.CallCount())
}
