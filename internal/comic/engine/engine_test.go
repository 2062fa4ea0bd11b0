package engine_test

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/engine"
	"plait/internal/core"
	"plait/internal/languages"
	"plait/internal/onnx"
)

var japaneseToEnglish = comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}

func open(t *testing.T, threads, places int) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{
		Assets: assetstest.Open(t), Runtime: onnx.Config{Device: onnx.CPU, Threads: threads}, Places: places,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// page is a page of the small sample chapter: 01 has a horizontal balloon, 02 a vertical one, 03 no text.
func page(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(assetstest.ModuleRoot(), "examples", "small", name))
	require.NoError(t, err)
	return b
}

func translated(text string) []core.Translation {
	return []core.Translation{{Index: 0, Text: text}}
}

func TestAPageIsReadErasedAndLettered(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	for name, want := range map[string]struct {
		says      string
		direction comic.Direction
	}{
		"01.png": {"今夜は星がきれいだね", comic.Horizontal},
		"02.png": {"あかりをつけましょう", comic.Vertical},
	} {
		original := page(t, name)
		c, found, err := e.Detect(t.Context(), original, japaneseToEnglish)
		require.NoError(t, err)
		require.Len(t, found.Regions, 1)
		require.Equal(t, want.says, strings.Trim(found.Regions[0].Text, "。"))
		require.Equal(t, want.direction, found.Regions[0].Direction)
		require.Equal(t, comic.KindDialogue, found.Regions[0].Kind)
		require.Equal(t, "ja", found.FromLang)
		require.Equal(t, []int{480, 680}, []int{found.Width, found.Height})
		require.Positive(t, c.Bytes())

		result, _, err := e.Render(t.Context(), c, translated("The stars are lovely tonight."))
		require.NoError(t, err)
		requireChangedOnlyNear(t, original, result, found.Regions[0])
	}
}

// requireChangedOnlyNear requires that the format and the size are the same, and that the page changed only within the region's balloon:
// nowhere farther from the source text than its own size.
func requireChangedOnlyNear(t *testing.T, original, result []byte, r comic.Region) {
	t.Helper()
	before, format, err := image.Decode(bytes.NewReader(original))
	require.NoError(t, err)
	after, sameFormat, err := image.Decode(bytes.NewReader(result))
	require.NoError(t, err)
	require.Equal(t, format, sameFormat)
	require.Equal(t, before.Bounds(), after.Bounds())
	x0, y0, x1, y1 := r.Bounds()
	reach := max(x1-x0, y1-y0)
	changed := 0
	for y := before.Bounds().Min.Y; y < before.Bounds().Max.Y; y++ {
		for x := before.Bounds().Min.X; x < before.Bounds().Max.X; x++ {
			if before.At(x, y) == after.At(x, y) {
				continue
			}
			changed++
			px, py := float64(x), float64(y)
			require.True(t, px > x0-reach && px < x1+reach && py > y0-reach && py < y1+reach, "pixel %d,%d changed", x, y)
		}
	}
	require.NotZero(t, changed)
}

func TestTheSameInputGivesTheSameBytesOnAnyNumberOfThreads(t *testing.T) {
	t.Parallel()
	way := func(e *engine.Engine) []byte {
		c, _, err := e.Detect(t.Context(), page(t, "02.png"), japaneseToEnglish)
		require.NoError(t, err)
		b, _, err := e.Render(t.Context(), c, translated("Let's light the lamp."))
		require.NoError(t, err)
		return b
	}
	want := way(open(t, 1, 1))
	shared := open(t, 2, 2)
	results := make([][]byte, 3)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() { results[i] = way(shared) })
	}
	group.Wait()
	for _, got := range results {
		require.Equal(t, want, got)
	}
}

func TestWhatIsNotTranslatedStaysByteForByte(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	for name, translations := range map[string][]core.Translation{"01.png": translated(""), "03.png": nil} {
		original := page(t, name)
		c, _, err := e.Detect(t.Context(), original, japaneseToEnglish)
		require.NoError(t, err)
		require.Len(t, c.Regions(), len(translations))
		b, _, err := e.Render(t.Context(), c, translations)
		require.NoError(t, err)
		require.Equal(t, original, b)
	}
}

func TestTheLanguageOfAPageIsTold(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	_, found, err := e.Detect(t.Context(), page(t, "01.png"), comic.Options{From: languages.Auto, To: "en"})
	require.NoError(t, err)
	require.Equal(t, "ja", found.FromLang)
	require.Equal(t, "en", found.Regions[0].TargetLang)
}

// This page is easy enough to be read without the passes.
func TestAPageIsReadWithoutThePasses(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	_, found, err := e.Detect(comic.Without(t.Context(), comic.AllPasses()...), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	require.Len(t, found.Regions, 1)
	require.Equal(t, "今夜は星がきれいだね", strings.Trim(found.Regions[0].Text, "。"))
}

func TestRubbishIsRefusedByItsCode(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	whole := page(t, "01.png")
	for name, b := range map[string][]byte{"nothing": nil, "no image": []byte("GIF89 no"), "truncated": whole[:len(whole)/2]} {
		_, _, err := e.Detect(t.Context(), b, japaneseToEnglish)
		require.Equal(t, core.CodeInvalidImage, core.CodeOf(err), name)
	}
	c, _, err := e.Detect(t.Context(), whole, japaneseToEnglish)
	require.NoError(t, err)
	for name, translations := range map[string][]core.Translation{
		"none": nil, "out of range": {{Index: 1, Text: "x"}}, "double": {{Index: 0, Text: "x"}, {Index: 0, Text: "x"}},
	} {
		_, _, err := e.Render(t.Context(), c, translations)
		require.Equal(t, core.CodeRenderInputInvalid, core.CodeOf(err), name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = e.Detect(ctx, whole, japaneseToEnglish)
	require.ErrorIs(t, err, context.Canceled)
}
