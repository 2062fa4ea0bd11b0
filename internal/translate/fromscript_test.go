package translate_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/script"
)

const sampleScript = `page,region,source,translation
ch1/005.png,0,おはよう！,Good morning!
ch1/005.png,1,ドカン,
ch1/005.png,2,行こう,Let's go.
`

func fromScript(t *testing.T, text string, strict bool) translate.Translator {
	t.Helper()
	f, err := script.Parse([]byte(text))
	require.NoError(t, err)
	return translate.FromScript(f, strict, slog.New(slog.DiscardHandler))
}

func TestScriptTranslates(t *testing.T) {
	t.Parallel()
	translator := fromScript(t, sampleScript, true)
	require.Equal(t, core.TranslatorScript, translator.Name())
	got, err := translator.Translate(t.Context(), request("行こラ", "ドカン", "おはょう!"))
	require.NoError(t, err)
	require.Equal(t, []string{"Let's go.", "", "Good morning!"}, texts(got), "an empty translation keeps the region as drawn")
	require.Equal(t, core.TranslatorScript, got.Provider)
	require.Zero(t, got.Paid)
	health, err := translator.Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, translate.Health{Provider: core.TranslatorScript}, health)
}

func TestARegionThatWasNotReadStaysAsItIsDrawn(t *testing.T) {
	t.Parallel()
	got, err := fromScript(t, sampleScript, true).Translate(t.Context(), request("おはよう！", ""))
	require.NoError(t, err)
	require.Equal(t, []string{"Good morning!", ""}, texts(got))
}

// Sounds and page numbers, which no model is asked for either, may be left out of a script; what is said may not.
func TestAScriptMayLeaveOutWhatStaysAsItIsDrawn(t *testing.T) {
	t.Parallel()
	translator := fromScript(t, sampleScript, true)
	r := request("おはよう！", "ざわざわざわ", "行こう", "12")
	r.Segments[1].Optional, r.Segments[2].Optional, r.Segments[3].Optional = true, true, true
	got, err := translator.Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []string{"Good morning!", "", "Let's go.", ""}, texts(got), "what the script knows of them holds")

	r.Segments[3].Optional = false
	_, err = translator.Translate(t.Context(), r)
	require.ErrorIs(t, err, core.NewError(core.CodeScriptIncomplete, ""))
	require.ErrorContains(t, err, `no translation for 1 of 4 regions of page "005.png" (region 3)`)
}

func TestAPageOfNothingButSoundsNeedsNoScript(t *testing.T) {
	t.Parallel()
	translator := fromScript(t, sampleScript, true)
	r := request("ざわざわざわ", "")
	r.Page.Name, r.Segments[0].Optional = "006.png", true
	got, err := translator.Translate(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 0}, {Index: 1}}, got.Translations)
}

func TestScriptThatDoesNotKnowARegion(t *testing.T) {
	t.Parallel()
	translator := fromScript(t, sampleScript, true)
	_, err := translator.Translate(t.Context(), request("おはよう！", "誰も知らない", "まったく別の話"))
	require.ErrorIs(t, err, core.NewError(core.CodeScriptIncomplete, ""))
	require.ErrorContains(t, err, `no translation for 2 of 3 regions of page "005.png" (region 1, 2)`)

	r := request("おはよう！")
	r.Page.Name = "006.png"
	_, err = translator.Translate(t.Context(), r)
	require.ErrorIs(t, err, core.NewError(core.CodeScriptIncomplete, ""))
	require.ErrorContains(t, err, `no page "006.png"`)
}

func TestARegionThatAScriptLacksStaysAsItIsDrawn(t *testing.T) {
	t.Parallel()
	translator := fromScript(t, sampleScript, false)
	got, err := translator.Translate(t.Context(), request("おはよう！", "誰も知らない", ""))
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 0, Text: "Good morning!"}, {Index: 1, Untranslated: core.UntranslatedMissing}, {Index: 2}}, got.Translations)

	r := request("おはよう！")
	r.Page.Name = "006.png"
	_, err = translator.Translate(t.Context(), r)
	require.ErrorIs(t, err, core.NewError(core.CodeScriptIncomplete, ""), "a script without the page is probably that of another chapter")
}
