package mask_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster/bitmap"
)

// applause draws a sound three times, one beside the other, and a box in its colors that is no glyph of it.
func applause() (img *image.NRGBA, sounds [3]*bitmap.Bitmap, box image.Rectangle) {
	img = noise(640, 200)
	for i, x := range []int{60, 240, 420} {
		sounds[i] = sound(img, image.Pt(x, 60+20*i), white)
	}
	box = image.Rect(590, 60, 630, 140)
	fill(img, box, soot)
	fill(img, box.Inset(4), white)
	return img, sounds, box
}

func TestAPileOfOneSoundGoesAsAWhole(t *testing.T) {
	t.Parallel()
	img, sounds, box := applause()
	r := glyphs(t, img, []comic.Region{effect(line(50, 50, 220, 135))}).Regions[0]
	all := bitmap.New(img.Rect)
	for _, s := range sounds {
		all.Union(s)
	}
	requireDrawn(t, all, r)
	require.False(t, r.Hole.Has(box.Min.X+20, box.Min.Y+40), "the box is drawn in the same colors, and stays")
}

func TestAPileLeavesWhatIsOfAnotherRegion(t *testing.T) {
	t.Parallel()
	img, sounds, _ := applause()
	kept := []comic.Region{effect(line(410, 90, 580, 175))}
	m, err := mask.Glyphs(t.Context(), img, []comic.Region{effect(line(50, 50, 220, 135))}, kept)
	require.NoError(t, err)
	both := bitmap.New(img.Rect)
	both.Union(sounds[0])
	both.Union(sounds[1])
	requireDrawn(t, both, m.Regions[0])
}
