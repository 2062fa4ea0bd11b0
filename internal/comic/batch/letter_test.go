package batch

import (
	"log/slog"
	"plait/internal/comic"
	"plait/internal/config"
	"plait/internal/core"
	"plait/internal/translate"
	"plait/internal/translate/script"
	"plait/internal/translators"
	"testing"

	"github.com/stretchr/testify/require"
)

// A script may leave out the regions that `plait translate` does not translate. Sounds are among them, unless the settings ask for them.
func TestLetterLeavesSoundsThatTheScriptDoesNotKnow(t *testing.T) {
	t.Parallel()
	file, err := script.Parse([]byte("page,source,translation\n1.png,たたいてみた？,Did you knock?\n"))
	require.NoError(t, err)
	found := comic.DetectOutput{Regions: []comic.Region{
		{Index: 0, Kind: comic.KindEffect, Text: "ボオオーーン"}, {Index: 1, Kind: comic.KindDialogue, Text: "たたいてみた？"},
		{Index: 2, Kind: comic.KindFurniture, Text: "12"},
	}}
	w := &Letterer{Script: translate.FromScript(file, true, slog.New(slog.DiscardHandler)), Untranslated: translators.UntranslatedKinds(config.Translator{})}
	got, err := w.translate(t.Context(), "1.png", found)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 0}, {Index: 1, Text: "Did you knock?"}, {Index: 2}}, got)

	w.Untranslated = translators.UntranslatedKinds(config.Translator{Effects: true})
	_, err = w.translate(t.Context(), "1.png", found)
	require.ErrorContains(t, err, `no translation for 1 of 3 regions of page "1.png" (region 0)`)
}
