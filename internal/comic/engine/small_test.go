package engine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/languages"
	"plait/internal/onnx"
)

func TestFastReadingKnowsTheSameScripts(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 2)
	for name, c := range map[string]struct {
		font, language string
		lines          []string
	}{
		"English":  {"ComicNeue_700Bold.ttf", "en", []string{"The lamp is out.", "Who was here?"}},
		"Japanese": {"NotoSansJP_500Medium.ttf", "ja", []string{"あかりがきえている", "だれがきたの？"}},
		"Chinese":  {"NotoSansSC_500Medium.ttf", "zh", []string{"我们一起去看灯塔吧", "谁在这里？"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, found, err := e.Detect(t.Context(), lettered(t, c.font, c.lines), comic.Options{From: languages.Auto, Fast: true})
			require.NoError(t, err)
			require.Contains(t, found.FromLang, c.language)
			require.Len(t, found.Regions, 1)
			require.Equal(t, c.lines, found.Regions[0].Texts)
		})
	}
}

func TestFastModelsThatCouldNotBeLoadedAreLoadedForTheNextPage(t *testing.T) {
	t.Parallel()
	decoded, err := open(t, 1, 1).Decode(t.Context(), page(t, "01.png"))
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = decoded.Detect(ended, comic.Options{From: "ja", Fast: true})
	require.ErrorIs(t, err, context.Canceled)
	_, found, err := decoded.Detect(t.Context(), comic.Options{From: "ja", Fast: true})
	require.NoError(t, err)
	require.NotEmpty(t, found.Regions)
}

func TestAnEngineCanReadEveryPageFast(t *testing.T) {
	t.Parallel()
	always, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: 1}, Places: 1, Fast: true,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, always.Close()) })
	_, want, err := open(t, 1, 1).Detect(t.Context(), page(t, "01.png"), comic.Options{From: "ja", Fast: true})
	require.NoError(t, err)
	require.NotEmpty(t, want.Regions)
	_, got, err := always.Detect(t.Context(), page(t, "01.png"), comic.Options{From: "ja"})
	require.NoError(t, err)
	require.Equal(t, want.Regions, got.Regions)
}
