package comic_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/emphasis"
	"plait/internal/translate/script"
)

// Drawn sounds stay as they are, and no model is paid for them.
func TestKindsThatAreNotTranslatedAreNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	found := r.detect(p)
	found.Regions[0].Kind = comic.KindEffect
	out := r.translate(p, found)
	require.ElementsMatch(t, []core.Translation{{Index: 0}, {Index: 1, Text: "[line 1]"}}, out.Translations)
	require.Equal(t, 1, r.model.Segments())

	p = r.page(twoLines)
	found = r.detect(p)
	found.Regions[0].Kind, found.Regions[1].Kind = comic.KindEffect, comic.KindEffect
	out = r.translate(p, found)
	require.Equal(t, []core.Translation{{Index: 0}, {Index: 1}}, out.Translations)
	require.Equal(t, 1, r.model.Calls())
	require.Equal(t, "bracket", r.row(p).Provider)
}

// A request decides what becomes of drawn sounds, whatever the configuration of the translator says.
func TestARequestDecidesWhetherSoundsAreTranslated(t *testing.T) {
	t.Parallel()
	for _, sounds := range []comic.SoundMode{comic.SoundsReplace, comic.SoundsAnnotate, comic.SoundsKeep} {
		for _, configured := range []comic.RegionKinds{{comic.KindEffect}, {}} {
			r := newRig(t)
			r.deps.UntranslatedKinds = configured
			r.env = r.process(comicsteps.New(r.deps))
			p := r.page(twoLines)
			found := r.detect(p)
			found.Regions[0].Kind = comic.KindEffect
			want := []core.Translation{{Index: 0, Text: "[line 0]"}, {Index: 1, Text: "[line 1]"}}
			if sounds == comic.SoundsKeep {
				want[0].Text = ""
			}
			in := translateInput(p, found)
			in.Options.Sounds = sounds
			out, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, in)
			require.NoError(t, err)
			require.ElementsMatch(t, want, out.Translations)
		}
	}
}

// A script need not name the drawn sounds either, and where it does, a person has decided.
func TestAScriptMayLeaveOutKindsThatAreNotTranslated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	file, err := script.Parse([]byte("page,region,source,translation\n1.png,,line 1,A word\n"))
	require.NoError(t, err)
	r.deps.Translators = func(context.Context, comic.Options) (translate.Translator, error) {
		return translate.FromScript(file, false, slog.New(slog.DiscardHandler)), nil
	}
	r.env = r.process(comicsteps.New(r.deps))
	p := r.page(twoLines)
	found := r.detect(p)
	found.Regions[0].Kind, found.Regions[0].Text = comic.KindEffect, "ZAWA ZAWA"
	found.Regions[1].Kind = comic.KindEffect
	out := r.translate(p, found)
	require.Equal(t, []core.Translation{{Index: 0}, {Index: 1, Text: "A word"}}, out.Translations)
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
	require.Equal(t, core.UntranslatedRefused, translated.Translations[0].Untranslated)

	r.engine.Read = func(lines []string) []string { return append(lines, "line 2") }
	output, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{
		Page: p, Options: options, Mode: comic.ModeFallback, Translations: translated.Translations, Cause: core.CodeCacheMiss,
	})
	require.NoError(t, err)
	require.Equal(t, core.StatusSuccess, r.row(p).Status)
	require.Equal(t, 1, r.row(p).Untranslated)
	require.Equal(t, 2+1, r.model.Segments(), "only the third line is asked for")
	require.Equal(t, "line 0 -> \nline 1 -> [line 1]\nline 2 -> [line 2]\n", r.bytes(output.Result))
}

// A model is told which words are emphasized, and keeps the tags around them; tags that are not in pairs go.
func TestAModelKeepsEmphasis(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	found := r.detect(p)
	found.Regions[0].Texts, found.Regions[0].Text, found.Regions[0].Emphasized = []string{"Run to", "me"}, "Run to me", []int{1}
	var asked translate.Request
	r.model.Before = func(_ context.Context, request translate.Request) error {
		asked = request
		return nil
	}
	out := r.translate(p, found)
	require.Equal(t, "[Run to <em>me</em>]", out.Translations[0].Text)
	require.Equal(t, []string{emphasis.Rule}, asked.Rules)
	for text, want := range map[string]string{"Viens à <em>moi</em>": "Viens à <em>moi</em>", "Viens à <em>moi": "Viens à moi"} {
		mended, ok := asked.Examine(0, text)
		require.True(t, ok)
		require.Equal(t, want, mended)
	}
	_, ok := asked.Examine(0, "<em></em>")
	require.False(t, ok)

	p = r.page(twoLines)
	r.translate(p, r.detect(p))
	require.Empty(t, asked.Rules, "nothing is emphasized there")
}
