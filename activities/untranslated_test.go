package activities_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

// Drawn sounds stay as they are, and no model is paid for them.
func TestKindsThatAreNotTranslatedAreNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	found := r.detect(p)
	found.Regions[0].Kind = pipeline.KindEffect
	out := r.translate(p, found)
	require.ElementsMatch(t, []pipeline.Translation{{Index: 0}, {Index: 1, Text: "[line 1]"}}, out.Translations)
	require.Equal(t, 1, r.model.Segments())

	p = r.page(twoLines)
	found = r.detect(p)
	found.Regions[0].Kind, found.Regions[1].Kind = pipeline.KindEffect, pipeline.KindEffect
	out = r.translate(p, found)
	require.Equal(t, []pipeline.Translation{{Index: 0}, {Index: 1}}, out.Translations)
	require.Equal(t, 1, r.model.Calls())
	require.Equal(t, "bracket", r.row(p).Provider)
}

// A page with a region that no model translates is rendered, and what was paid for is not asked again where the page reads
// otherwise on another host.
func TestAPageWithAnUntranslatedRegionIsRendered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.model.Refused = "line 0"
	p := r.page(twoLines)
	found := r.detect(p)
	translated := r.translate(p, found)
	require.Equal(t, pipeline.UntranslatedRefused, translated.Translations[0].Untranslated)

	r.engine.Read = func(lines []string) []string { return append(lines, "line 2") }
	output, err := call[pipeline.PageOutput](r.env, pipeline.StepPage, pipeline.PageInput{
		Page: p, Options: options, Mode: pipeline.ModeFallback, Translations: translated.Translations, Cause: pipeline.CodeCacheMiss,
	})
	require.NoError(t, err)
	require.Equal(t, pipeline.StatusSuccess, r.row(p).Status)
	require.Equal(t, 1, r.row(p).Untranslated)
	require.Equal(t, 2+1, r.model.Segments(), "only the third line is asked for")
	require.Equal(t, "line 0 -> \nline 1 -> [line 1]\nline 2 -> [line 2]\n", r.bytes(output.Result))
}
