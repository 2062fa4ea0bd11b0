package engine_test

import (
	"bytes"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/engine"
	"plait/internal/core"
)

func TestErasingLeavesNothingToRead(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	for _, name := range []string{"01.png", "02.png"} {
		c, _, err := e.Detect(t.Context(), page(t, name), japaneseToEnglish)
		require.NoError(t, err)
		erased, err := e.Erase(t.Context(), c, c.Regions())
		require.NoError(t, err)
		requireChangedOnlyInMask(t, c.Picture().Image, erased)

		b, err := c.Picture().Encode(t.Context(), erased.Image, c.Picture().Format)
		require.NoError(t, err)
		_, found, err := e.Detect(t.Context(), b, japaneseToEnglish)
		require.NoError(t, err)
		require.Empty(t, found.Regions, name)
	}
}

func requireChangedOnlyInMask(t *testing.T, page *image.NRGBA, erased *engine.Erased) {
	t.Helper()
	mask := erased.Mask()
	require.Equal(t, page.Rect, mask.Rect)
	require.Equal(t, page.Rect, erased.Image.Rect)
	masked := 0
	for y := page.Rect.Min.Y; y < page.Rect.Max.Y; y++ {
		for x := page.Rect.Min.X; x < page.Rect.Max.X; x++ {
			if mask.GrayAt(x, y).Y != 0 {
				masked++
			} else if page.NRGBAAt(x, y) != erased.Image.NRGBAAt(x, y) {
				require.Fail(t, "changed outside the mask", "pixel %d,%d", x, y)
			}
		}
	}
	require.NotZero(t, masked)
}

func TestErasingNoRegionsChangesNothing(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	erased, err := e.Erase(t.Context(), c, nil)
	require.NoError(t, err)
	require.Equal(t, c.Picture().Image.Pix, erased.Image.Pix)
	require.NotContains(t, erased.Mask().Pix, uint8(255))
}

func TestAPreparedPageShowsWhatIsErased(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	c, _, err := e.Detect(t.Context(), page(t, "01.png"), japaneseToEnglish)
	require.NoError(t, err)
	prepared, err := e.Prepare(t.Context(), c, translated("The stars are lovely tonight."))
	require.NoError(t, err)
	alone, err := e.Erase(t.Context(), c, c.Regions())
	require.NoError(t, err)
	_, _, err = e.Render(t.Context(), prepared, translated("The stars are lovely tonight."))
	require.NoError(t, err)
	require.Equal(t, alone.Image.Pix, prepared.Erased().Image.Pix, "lettering does not draw on it")
	require.Equal(t, alone.Mask().Pix, prepared.Erased().Mask().Pix)

	prepared, err = e.Prepare(t.Context(), c, []core.Translation{{Index: 0}})
	require.NoError(t, err)
	require.Nil(t, prepared.Erased(), "nothing to erase")
}

// Characters that no font has are left out and reported. A region with no other characters keeps its original lettering.
func TestCharactersThatNoFontHasAreReported(t *testing.T) {
	t.Parallel()
	e := open(t, 1, 1)
	original := page(t, "01.png")
	c, _, err := e.Detect(t.Context(), original, japaneseToEnglish)
	require.NoError(t, err)
	render := func(text string) ([]byte, string) {
		b, report, err := e.Render(t.Context(), c, translated(text))
		require.NoError(t, err)
		return b, report.Missing
	}
	got, missing := render("ᚠThe starsᚠ \U0001D11E")
	want, none := render("The stars")
	require.Equal(t, "ᚠ\U0001D11E", missing)
	require.Empty(t, none)
	require.True(t, bytes.Equal(want, got))

	got, missing = render("ᚠᛇ ᚠ")
	require.Equal(t, "ᚠᛇ", missing)
	require.True(t, bytes.Equal(original, got))
}
