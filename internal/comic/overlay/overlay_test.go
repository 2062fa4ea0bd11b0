package overlay_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/overlay"
	"plait/internal/raster"
)

func blank(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	return img
}

func region(index int, q raster.Quad) comic.Region {
	return comic.Region{Index: index, Lines: []raster.Quad{q}, Kind: comic.KindDialogue, Direction: comic.Horizontal}
}

// marked counts the pixels in r that are not white.
func marked(got *image.RGBA, r image.Rectangle) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if got.RGBAAt(x, y) != (color.RGBA{255, 255, 255, 255}) {
				n++
			}
		}
	}
	return n
}

func TestAPageIsMarkedAndNotChanged(t *testing.T) {
	t.Parallel()
	page := blank(600, 800)
	got, err := overlay.Draw(page, []comic.Region{region(0, raster.QuadOf(200, 100, 400, 140))})
	require.NoError(t, err)
	require.Equal(t, page.Rect, got.Rect)
	require.Equal(t, blank(600, 800).Pix, page.Pix, "the page itself does not change")
	require.Equal(t, 200*40, marked(got, image.Rect(200, 100, 400, 140)), "the line is tinted")
	require.Greater(t, marked(got, image.Rect(0, 0, 600, 96)), 500, "a tag is above it")
	require.Zero(t, marked(got, image.Rect(0, 150, 600, 800)), "nothing else is marked")
}

// A region is drawn wherever it lies, and whatever its number and its kind are.
func TestEveryRegionIsDrawn(t *testing.T) {
	t.Parallel()
	free := region(3, raster.QuadOf(100, 100, 200, 120))
	free.Kind, free.Direction = comic.KindFree, comic.Vertical
	for name, c := range map[string]struct {
		width, height int
		region        comic.Region
	}{
		"a page smaller than a tag": {20, 20, region(0, raster.QuadOf(2, 2, 18, 18))},
		"no width":                  {300, 300, region(0, raster.QuadOf(100, 100, 100, 200))},
		"three digits of order":     {300, 300, region(122, raster.QuadOf(100, 100, 200, 120))},
		"lines beyond the page":     {300, 300, region(0, raster.QuadOf(-50, -50, 350, 350))},
		"a line outside the page":   {300, 300, region(0, raster.QuadOf(500, 500, 600, 600))},
		"a column of free text":     {300, 300, free},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := blank(c.width, c.height)
			got, err := overlay.Draw(page, []comic.Region{c.region})
			require.NoError(t, err)
			require.Positive(t, marked(got, got.Rect))
		})
	}
}

func TestNumbersAreTold(t *testing.T) {
	t.Parallel()
	drawn := func(index int) []byte {
		got, err := overlay.Draw(blank(300, 300), []comic.Region{region(index, raster.QuadOf(100, 100, 200, 120))})
		require.NoError(t, err)
		return got.Pix
	}
	require.NotEqual(t, drawn(1), drawn(2))
}

func TestTransparentPagesLieOnWhite(t *testing.T) {
	t.Parallel()
	got, err := overlay.Draw(image.NewNRGBA(image.Rect(0, 0, 50, 50)), nil)
	require.NoError(t, err)
	require.Zero(t, marked(got, got.Rect))
}
