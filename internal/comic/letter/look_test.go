package letter_test

import (
	"image"
	"image/color"
	stddraw "image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/letter"
)

// bars are the letters of a region.
func bars(r comic.Region) (all []image.Rectangle) {
	for _, q := range r.Lines {
		for x := int(q[0][0]) + 6; x+8 < int(q[1][0]); x += 26 {
			all = append(all, image.Rect(x, int(q[0][1])+4, x+8, int(q[2][1])-4))
		}
	}
	return all
}

func paint(img *image.NRGBA, r image.Rectangle, c color.NRGBA) {
	stddraw.Draw(img, r, image.NewUniform(c), image.Point{}, stddraw.Src)
}

// lettered draws bars as outlined lettering over a page, and returns the page with them.
func lettered(erased *image.NRGBA, r comic.Region, ink, outline color.NRGBA) *image.NRGBA {
	out := clone(erased)
	for _, bar := range bars(r) {
		paint(out, bar.Inset(-4), outline)
		paint(out, bar, ink)
	}
	return out
}

// drawnColors letters a word in place of the source lettering, and counts the colors of the pixels that changed.
func drawnColors(t *testing.T, erased, original *image.NRGBA, r comic.Region) map[color.NRGBA]int {
	t.Helper()
	page := clone(erased)
	_, err := letterer(t).Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: []comic.Region{r}, Translations: translations([]string{"Boom"}), Lang: "en",
	}, letter.DefaultParams())
	require.NoError(t, err)
	colors := map[color.NRGBA]int{}
	for _, at := range changed(erased, page) {
		colors[page.NRGBAAt(at.X, at.Y)]++
	}
	return colors
}

func freeText() comic.Region {
	r := source(0, image.Rect(40, 40, 380, 240), 0.8, 2)
	r.Kind = comic.KindFree
	return r
}

func TestTheOutlineHasTheColorOfTheSources(t *testing.T) {
	t.Parallel()
	page, r := art(420, 300), freeText()
	cream, navy := color.NRGBA{255, 248, 216, 255}, color.NRGBA{31, 27, 90, 255}
	for _, c := range []struct{ ink, outline color.NRGBA }{{cream, navy}, {navy, cream}} {
		colors := drawnColors(t, page, lettered(page, r, c.ink, c.outline), r)
		require.Greater(t, colors[c.ink], 30)
		require.Greater(t, colors[c.outline], colors[c.ink], "a rim around small letters takes more room than they do")
		require.Zero(t, colors[color.NRGBA{0, 0, 0, 255}]+colors[color.NRGBA{255, 255, 255, 255}])
	}
}

// On a light ground, the outline differs more from the ground than the letters inside do.
func TestLightLettersWithADarkOutline(t *testing.T) {
	t.Parallel()
	page, r := art(420, 300), freeText()
	for i := range page.Pix {
		page.Pix[i] = 255 - (255-page.Pix[i])/3
	}
	yellow, brown := color.NRGBA{255, 225, 60, 255}, color.NRGBA{70, 30, 10, 255}
	colors := drawnColors(t, page, lettered(page, r, yellow, brown), r)
	require.Greater(t, colors[yellow], 30)
	require.Greater(t, colors[brown], colors[yellow], "a rim around small letters takes more room than they do")
}

// Between blurred letters and their outline is a band of blends of both colors.
func TestTheOutlineOfBlurredLetters(t *testing.T) {
	t.Parallel()
	page, r := image.NewNRGBA(image.Rect(0, 0, 420, 300)), freeText()
	night, ice, white := color.NRGBA{24, 30, 36, 255}, color.NRGBA{110, 135, 150, 255}, color.NRGBA{255, 255, 255, 255}
	paint(page, page.Rect, night)
	original := lettered(page, r, white, ice)
	for _, bar := range bars(r) {
		for k := 2; k > 0; k-- {
			paint(original, bar.Inset(1-k), color.NRGBA{uint8(255 - 48*k), uint8(255 - 40*k), uint8(255 - 35*k), 255})
		}
		paint(original, bar.Inset(1), white)
	}
	colors := drawnColors(t, page, original, r)
	require.Greater(t, colors[white], 30)
	require.Greater(t, colors[ice], 30)
}

// Lettering on an object keeps its low contrast and has no outline.
func TestLetteringOnAnObjectOfOneColorHasNoOutline(t *testing.T) {
	t.Parallel()
	page, r := image.NewNRGBA(image.Rect(0, 0, 420, 300)), freeText()
	sack, ink := color.NRGBA{230, 169, 88, 255}, color.NRGBA{120, 70, 30, 255}
	paint(page, page.Rect, sack)
	colors := drawnColors(t, page, lettered(page, r, ink, sack), r)
	require.Greater(t, colors[ink], 30)
	for c := range colors {
		require.LessOrEqual(t, c.R, sack.R)
		require.GreaterOrEqual(t, c.R, ink.R)
	}
}

// Art of one color that was erased with the lettering is no lettering, even if it is thicker.
func TestInkIsNotTheColorOfErasedArt(t *testing.T) {
	t.Parallel()
	page, r := image.NewNRGBA(image.Rect(0, 0, 420, 300)), freeText()
	white, black, gold := color.NRGBA{255, 255, 255, 255}, color.NRGBA{0, 0, 0, 255}, color.NRGBA{200, 170, 90, 255}
	paint(page, page.Rect, white)
	original := lettered(page, r, black, white)
	x, y := int(r.Lines[1][2][0]), int(r.Lines[1][2][1])
	paint(original, image.Rect(x-60, y-24, x, y), gold)
	require.Greater(t, drawnColors(t, page, original, r)[black], 30)
}
