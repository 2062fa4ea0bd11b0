package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
	"unicode"

	"github.com/agnivade/levenshtein"
	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/letter"
	"plait/internal/core"
	"plait/internal/raster"
)

// TestVerticalJapaneseIsReadBack letters columns into the bubbles of an empty page and reads them. At most 2 % of the letters may be
// wrong, missing or superfluous, and 3 % with marks. Commas and full stops are small and in a corner of their cell, and some at the end of
// a column are not read.
func TestVerticalJapaneseIsReadBack(t *testing.T) {
	t.Parallel()
	texts := []string{
		"今夜は星がとてもきれいだね。明日もきっと晴れるよ。",
		"コンテストは12時に始まるって、知らなかったの？",
		"先ほどの実演の後では、勝つのは難しそうだ！",
		"「本当に大丈夫？」と彼女は心配そうに聞いた。",
		"ランプの灯りを消してはいけないと言われました。",
		"森の奥で見つけた古い手紙には、地図が描いてあった。",
	}
	page := image.NewNRGBA(image.Rect(0, 0, 1240, 1750))
	for i := range page.Pix {
		page.Pix[i] = 255
		if i%4 != 3 {
			page.Pix[i] = 190
		}
	}
	var regions []comic.Region
	var translations []core.Translation
	for i, text := range texts {
		box := image.Rect(0, 0, 330, 560).Add(image.Pt(60+390*(2-i%3), 200+750*(i/3)))
		bubble(page, box)
		x, y := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y)
		regions = append(regions, comic.Region{
			Index: i, Text: "縦書き", Kind: comic.KindDialogue, FontSize: 44, Direction: comic.Vertical, SourceLang: "ja",
			Lines: []raster.Quad{
				{{x + 10, y + 120}, {x + 62, y + 120}, {x + 62, y + 440}, {x + 10, y + 440}},
				{{x - 62, y + 120}, {x - 10, y + 120}, {x - 10, y + 440}, {x - 62, y + 440}},
			},
		})
		translations = append(translations, core.Translation{Index: i, Text: text})
	}
	l, err := letter.Open(letter.Config{Assets: assetstest.Location()})
	require.NoError(t, err)
	original := image.NewNRGBA(page.Rect)
	copy(original.Pix, page.Pix)
	report, err := l.Draw(t.Context(), letter.Page{
		Erased: page, Original: original, Regions: regions, Translations: translations, Lang: "ja",
	}, letter.DefaultParams())
	require.NoError(t, err)
	for _, r := range report.Regions {
		require.Equal(t, letter.Fits, r.Fit)
	}
	var file bytes.Buffer
	require.NoError(t, png.Encode(&file, page))

	_, found, err := open(t, 1, 1).Detect(t.Context(), file.Bytes(), comic.Options{From: "ja", To: "en"})
	require.NoError(t, err)
	require.Len(t, found.Regions, len(texts))
	wrong, all, wrongLetters, letters := 0, 0, 0, 0
	withoutMarks := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) {
				return -1
			}
			return r
		}, text)
	}
	for i, r := range found.Regions {
		require.Equal(t, comic.Vertical, r.Direction)
		want := []rune(texts[i])
		n := levenshtein.ComputeDistance(texts[i], strings.NewReplacer("?", "？", "!", "！", " ", "").Replace(r.Text))
		if n > 0 {
			t.Logf("%d of %d: %s read as %s", n, len(want), texts[i], r.Text)
		}
		wrong, all = wrong+n, all+len(want)
		wrongLetters += levenshtein.ComputeDistance(withoutMarks(texts[i]), withoutMarks(strings.ReplaceAll(r.Text, " ", "")))
		letters += len([]rune(withoutMarks(texts[i])))
	}
	require.LessOrEqual(t, float64(wrongLetters), 0.02*float64(letters))
	require.LessOrEqual(t, float64(wrong), 0.03*float64(all))
}

// bubble draws a white oval with a black outline into box.
func bubble(img *image.NRGBA, box image.Rectangle) {
	cx, cy := float64(box.Min.X+box.Max.X)/2, float64(box.Min.Y+box.Max.Y)/2
	rx, ry := float64(box.Dx())/2, float64(box.Dy())/2
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			dx, dy := float64(x)+0.5-cx, float64(y)+0.5-cy
			switch {
			case math.Hypot(dx/(rx-4), dy/(ry-4)) <= 1:
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, 255})
			case math.Hypot(dx/rx, dy/ry) <= 1:
				img.SetNRGBA(x, y, color.NRGBA{0, 0, 0, 255})
			}
		}
	}
}
