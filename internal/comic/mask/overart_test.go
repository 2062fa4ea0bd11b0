package mask_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/mask"
	"plait/internal/raster"
	"plait/internal/raster/bitmap"
)

// requireStrokes fails unless the hole has all strokes, and no pixel that is farther from them than reach pixels.
func requireStrokes(t *testing.T, img *image.NRGBA, strokes []image.Rectangle, r mask.Region, reach float64) {
	t.Helper()
	drawn := bitmap.New(img.Rect)
	for _, s := range strokes {
		require.True(t, holds(r, s), "stroke %v", s)
		for y := s.Min.Y; y < s.Max.Y; y++ {
			for x := s.Min.X; x < s.Max.X; x++ {
				drawn.Add(x, y)
			}
		}
	}
	near := drawn.Dilate(reach)
	for i, p := range r.Hole.Pix {
		if at := r.Hole.Point(i); p != 0 && !near.Has(at.X, at.Y) {
			t.Fatalf("%v is far from every stroke", at)
		}
	}
}

func TestLightTextOverArtBesideALightGutter(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 300, 120))
	fill(img, img.Rect, white)
	for x := 0; x < 300; x += 20 { // gray shapes with outlines
		v := uint8(84 + x*7%32)
		fill(img, image.Rect(x, 0, x+20, 74), color.NRGBA{v, v + 4, v + 8, 255})
		fill(img, image.Rect(x, 40-x%30, x+2, 74), soot)
	}
	strokes := word(img, image.Pt(50, 50), 10, white, 0)
	credit := region(0, line(46, 46, 236, 76))
	credit.Kind, credit.FG = comic.KindFurniture, raster.RGB{230, 228, 226}
	r := glyphs(t, img, []comic.Region{credit}).Regions[0]
	require.Equal(t, mask.Art, r.Class, "the text is not on the gutter")
	requireStrokes(t, img, strokes, r, 4)
}

func TestALabelOnAThingOfOneColor(t *testing.T) {
	t.Parallel()
	img := noise(300, 160)
	tan, brown := color.NRGBA{224, 168, 92, 255}, color.NRGBA{100, 62, 24, 255}
	fill(img, image.Rect(32, 38, 232, 98), tan) // ends as far from the text as a wide outline would
	strokes := word(img, image.Pt(60, 60), 8, brown, 0)
	fill(img, image.Rect(32, 92, 232, 98), brown)
	sign := region(0, line(56, 54, 206, 84))
	sign.Kind = comic.KindFree
	requireStrokes(t, img, strokes, glyphs(t, img, []comic.Region{sign}).Regions[0], 11)
}

func TestTheDotOfAThinQuestionMark(t *testing.T) {
	t.Parallel()
	img := noise(300, 120)
	var strokes []image.Rectangle
	for x := 40; x < 220; x += 18 { // strokes of two pixels
		strokes = append(strokes, image.Rect(x, 40, x+2, 70), image.Rect(x, 40, x+12, 42))
	}
	strokes = append(strokes, image.Rect(202, 76, 205, 79)) // six half widths below its hook
	for _, s := range strokes {
		fill(img, s, black)
	}
	shout := region(0, line(36, 36, 224, 84))
	shout.FontSize, shout.Kind = 44, comic.KindEffect
	requireStrokes(t, img, strokes, glyphs(t, img, []comic.Region{shout}).Regions[0], 4)
}

func TestAFillWhoseRimIsLighterThanItself(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 320, 200))
	for y := range 200 {
		fill(img, image.Rect(0, y, 320, y+1), color.NRGBA{uint8(40 + y/4), uint8(100 + y/3), uint8(200 - y/5), 255})
	}
	drawn := sound(img, image.Pt(80, 70), color.NRGBA{255, 220, 0, 255})
	throughJPEG(t, img, 75) // subsampled color makes the rim of the yellow paler
	requireDrawn(t, drawn, glyphs(t, img, []comic.Region{effect(line(70, 60, 240, 145))}).Regions[0])
}

func TestOutlinedLetteringThatArtRunsInto(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 420, 200))
	night := color.NRGBA{42, 42, 58, 255}
	fill(img, img.Rect, night)
	for x := 10; x < 420; x += 90 { // thin stems of many colors that extend beyond the lettering
		fill(img, image.Rect(x, 0, x+3, 200), color.NRGBA{uint8(90 + x/4), uint8(190 - x/4), uint8(80 + x*5%120), 255})
	}
	fill(img, image.Rect(116, 107, 136, 110), color.NRGBA{200, 176, 132, 255}) // art that looks like a letter that the detector missed
	word(img, image.Pt(60, 80), 16, black, 4)
	strokes := word(img, image.Pt(60, 80), 16, white, 0)
	for i := range strokes {
		strokes[i] = strokes[i].Inset(-4)
	}
	shout := region(0, line(54, 74, 350, 106))
	shout.FG, shout.BG = raster.RGB{255, 255, 255}, raster.RGB{42, 42, 58}
	requireStrokes(t, img, strokes, glyphs(t, img, []comic.Region{shout}).Regions[0], 10)
}

// An outline is wider at the corners of strokes; a line of the art that has its color and begins there is art.
func TestTheCornersOfAnOutline(t *testing.T) {
	t.Parallel()
	img := noise(420, 200)
	word(img, image.Pt(60, 80), 16, black, 4)
	stem := image.Rect(60, 20, 62, 76)
	fill(img, stem, black)
	var corners []image.Rectangle
	for i := 2; i < 16; i += 3 {
		corner := image.Rect(0, 0, 5, 6).Add(image.Pt(60+18*i+13, 103))
		fill(img, corner, black)
		corners = append(corners, corner)
	}
	word(img, image.Pt(60, 80), 16, white, 0)
	shout := effect(line(54, 74, 350, 106))
	r := glyphs(t, img, []comic.Region{shout}).Regions[0]
	for _, c := range corners {
		require.True(t, holds(r, c), "corner %v", c)
	}
	require.False(t, r.Hole.Has(stem.Min.X, stem.Min.Y+10), "the stem")
}
