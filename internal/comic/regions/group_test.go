package regions_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/comic/regions"
	"plait/internal/raster"
)

var gray = color.NRGBA{128, 128, 128, 255}

func canvas(paper color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 600, 600))
	fill(img, img.Rect, paper)
	return img
}

func fill(img *image.NRGBA, r image.Rectangle, c color.Color) {
	draw.Draw(img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// row draws strokes that resemble lettering inside a box, and returns the line.
func row(img *image.NRGBA, ink color.Color, text string, x0, y0, x1, y1 int) regions.Line {
	for x := x0 + 5; x < x1-5; x += 8 {
		fill(img, image.Rect(x, y0+5, x+3, y1-5), ink)
	}
	a, b, c, d := float64(x0), float64(y0), float64(x1), float64(y1)
	return regions.Line{Quad: raster.Quad{{a, b}, {c, b}, {c, d}, {a, d}}, Text: text, Prob: 0.9}
}

func column(img *image.NRGBA, ink color.Color, text string, x0, y0, x1, y1 int) regions.Line {
	l := row(img, ink, text, x0, y0, x1, y1)
	l.Vertical = true
	return l
}

func group(t *testing.T, img *image.NRGBA, lines []regions.Line, language string) []comic.Region {
	t.Helper()
	found, err := regions.Group(t.Context(), regions.Page{Image: img, Lines: lines, Language: language, RightToLeft: language == "ja"})
	require.NoError(t, err)
	return found
}

func texts(found []comic.Region) []string {
	var all []string
	for _, r := range found {
		all = append(all, r.Text)
	}
	return all
}

func TestGroup(t *testing.T) {
	t.Parallel()
	white, black, yellow := color.White, color.Black, color.NRGBA{255, 230, 120, 255}
	for name, c := range map[string]struct {
		draw     func(img *image.NRGBA) []regions.Line
		language string
		want     []string
	}{
		"one bubble": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{row(img, black, "you there?", 110, 130, 240, 160), row(img, black, "Are", 150, 100, 200, 130)}
		}, "en", []string{"Are you there?"}},
		"a wide blank on the page": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{
				row(img, black, "one", 100, 100, 200, 130), row(img, black, "two", 100, 130, 200, 160), row(img, black, "three", 100, 176, 200, 206),
			}
		}, "en", []string{"one two", "three"}},
		"wide blanks all through": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{
				row(img, black, "one", 100, 100, 200, 130), row(img, black, "two", 100, 146, 200, 176), row(img, black, "three", 100, 192, 200, 222),
			}
		}, "en", []string{"one two three"}},
		"another paper": {func(img *image.NRGBA) []regions.Line {
			fill(img, image.Rect(80, 130, 300, 200), yellow)
			return []regions.Line{row(img, black, "one", 100, 100, 200, 130), row(img, black, "two", 100, 131, 200, 161)}
		}, "en", []string{"one", "two"}},
		"another size": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{row(img, black, "BIG", 100, 100, 300, 170), row(img, black, "small", 100, 171, 200, 201)}
		}, "en", []string{"BIG", "small"}},
		"an end mark above credits": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{
				row(img, black, "THE END", 160, 100, 260, 150), row(img, black, "Drawn by nobody in particular", 60, 150, 360, 177),
				row(img, black, "Printed on paper of the best kind", 50, 174, 370, 198),
			}
		}, "en", []string{"THE END", "Drawn by nobody in particular Printed on paper of the best kind"}},
		"two sizes in one bubble": {func(img *image.NRGBA) []regions.Line {
			loud, calm := row(img, black, "THE END", 160, 100, 260, 150), row(img, black, "of this tale", 160, 150, 260, 177)
			loud.Bubble, calm.Bubble = 1, 1
			return []regions.Line{loud, calm}
		}, "en", []string{"THE END of this tale"}},
		"columns of Japanese": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{
				column(img, black, "みえないの。", 100, 100, 130, 280), column(img, black, "あかりが、", 130, 100, 160, 250), column(img, black, "おうちの", 160, 100, 190, 220),
			}
		}, "ja", []string{"おうちのあかりが、みえないの。"}},
		"a column beside a row": {func(img *image.NRGBA) []regions.Line {
			return []regions.Line{column(img, black, "たて", 100, 100, 130, 160), row(img, black, "よこ", 132, 100, 192, 130)}
		}, "ja", []string{"よこ", "たて"}},
		"one character": {func(img *image.NRGBA) []regions.Line {
			one, stroke := row(img, black, "え", 100, 100, 140, 140), row(img, black, "一", 300, 300, 340, 340)
			one.Prob, stroke.Prob = 0.95, 0.65
			return []regions.Line{one, stroke}
		}, "ja", []string{"え"}},
		"a lone letter over art": {func(img *image.NRGBA) []regions.Line {
			stripes(img)
			lone, word := row(img, black, "I", 100, 100, 130, 140), row(img, black, "you", 100, 300, 200, 330)
			lone.Prob, word.Prob = 0.97, 0.97
			return []regions.Line{lone, word}
		}, "en", []string{"you"}},
		"a lone letter in a bubble": {func(img *image.NRGBA) []regions.Line {
			lone := row(img, black, "I", 100, 100, 130, 140)
			lone.Prob = 0.97
			return []regions.Line{lone}
		}, "en", []string{"I"}},
		"a lone letter among kana": {func(img *image.NRGBA) []regions.Line {
			lone := row(img, black, "o", 100, 100, 130, 140)
			lone.Prob = 0.97
			return []regions.Line{lone, row(img, black, "はい", 100, 300, 200, 330)}
		}, "ja", []string{"はい"}},
		"a cry over art": {func(img *image.NRGBA) []regions.Line {
			stripes(img)
			cry, blot := row(img, black, "!!!", 100, 100, 160, 130), row(img, black, "!", 300, 300, 320, 330)
			cry.Prob, blot.Prob = 0.98, 0.98
			return []regions.Line{cry, blot}
		}, "en", []string{"!!!"}},
		"a silence in a bubble": {func(img *image.NRGBA) []regions.Line {
			fill(img, image.Rect(50, 50, 250, 250), yellow)
			silence := row(img, black, "……", 100, 130, 200, 160)
			silence.Prob = 0.95
			return []regions.Line{silence}
		}, "ja", []string{"……"}},
		"lines of bubbles that a model found": {func(img *image.NRGBA) []regions.Line {
			one, two := row(img, black, "one", 100, 100, 200, 130), row(img, black, "two", 100, 130, 200, 160)
			one.Bubble, two.Bubble = 1, 2
			return []regions.Line{one, two}
		}, "en", []string{"one", "two"}},
		"nothing said": {func(img *image.NRGBA) []regions.Line {
			unsure, single, marks := row(img, black, "Il1", 300, 300, 360, 330), row(img, black, "G", 100, 300, 160, 390), row(img, black, "-.-", 100, 100, 160, 130)
			unsure.Prob, single.Prob, marks.Prob = 0.3, 0.8, 0.8
			return []regions.Line{marks, row(img, black, "", 300, 100, 360, 130), unsure, single}
		}, "en", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img := canvas(white)
			require.Equal(t, c.want, texts(group(t, img, c.draw(img), c.language)))
		})
	}
}

func TestRegionIsMeasured(t *testing.T) {
	t.Parallel()
	img := canvas(gray)
	navy, cream := color.NRGBA{20, 20, 90, 255}, color.NRGBA{250, 245, 230, 255}
	fill(img, image.Rect(80, 80, 320, 220), cream)
	lines := []regions.Line{
		row(img, navy, "It is late,", 110, 120, 260, 150), row(img, navy, "friend.", 110, 150, 200, 178),
	}
	lines[1].Prob = 0.7
	found := group(t, img, lines, "en")
	require.Len(t, found, 1)
	r := found[0]
	require.Equal(t, 0, r.Index)
	require.Equal(t, []string{"It is late,", "friend."}, r.Texts)
	require.Equal(t, []raster.Quad{lines[0].Quad, lines[1].Quad}, r.Lines)
	require.Equal(t, raster.RGB{20, 20, 90}, r.FG)
	require.Equal(t, raster.RGB{250, 245, 230}, r.BG)
	require.Equal(t, comic.Horizontal, r.Direction)
	require.Equal(t, comic.AlignLeft, r.Alignment)
	require.Equal(t, comic.KindDialogue, r.Kind)
	require.Equal(t, "en", r.SourceLang)
	require.InDelta(t, 28, r.FontSize, 0.01)
	require.InDelta(t, (11*0.9+7*0.7)/18, r.Prob, 1e-9)
	require.Zero(t, r.Angle)
}

func TestKind(t *testing.T) {
	t.Parallel()
	flat := canvas(color.White)
	require.Equal(t, comic.KindDialogue, group(t, flat, []regions.Line{row(flat, color.Black, "BAM", 200, 200, 300, 240)}, "en")[0].Kind)

	art := canvas(gray)
	stripes(art)
	require.Equal(t, comic.KindFree, group(t, art, []regions.Line{row(art, color.Black, "BAM", 200, 200, 300, 240)}, "en")[0].Kind, "over art")
}

// stripes fills a canvas with art.
func stripes(img *image.NRGBA) {
	for i := range 150 {
		fill(img, image.Rect(i*4, 0, i*4+2, 600), color.NRGBA{uint8(i), 60, 200, 255})
	}
}

func TestSlantedRegion(t *testing.T) {
	t.Parallel()
	img := canvas(color.White)
	// Two lines of 200 x 30, turned by 10 degrees clockwise: cos 0.9848, sin 0.1736.
	slanted := func(x, y float64, text string) regions.Line {
		return regions.Line{Quad: raster.Quad{{x, y}, {x + 196.96, y + 34.73}, {x + 191.75, y + 64.27}, {x - 5.21, y + 29.54}}, Text: text, Prob: 1}
	}
	found := group(t, img, []regions.Line{slanted(94.8, 129.5, "below"), slanted(100, 100, "above")}, "en")
	require.Equal(t, []string{"above below"}, texts(found))
	require.InDelta(t, 10, found[0].Angle, 0.1)
	require.InDelta(t, 30, found[0].FontSize, 0.1)
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for want, pages := range map[string][][]string{
		"ja":      {{"今夜は星がきれいだね。"}, {"OK!", "はい"}, {"東京タワー"}},
		"zh-Hans": {{"我们一起去看灯塔吧"}, {"大", "好"}, {"这瓶魔药 by David"}},
		"zh-Hant": {{"我們一起去看燈塔吧"}, {"這是什麼"}},
		"en":      {{"Wait for me!"}, {"Attends-moi, capitaine !"}, {"The sign says 中 or so"}},
		"fr":      {{"Cette nuit est très sombre...", "Oui, le phare s'est éteint.", "Où ça ?"}},
		"pt":      {{"ESTA NOITE ESTÁ MUITO ESCURA.", "SIM, O FAROL APAGOU-SE."}},
		"ko":      {{"오늘 밤은 정말 어두운데요?", "OK"}},
		"ru":      {{"Сегодня ночью очень темно, ведь маяк больше не горит."}, {"Да!"}},
		"uk":      {{"Сьогодні вночі дуже темно, бо маяк більше не світить. Хто ж його погасив?"}},
		"el":      {{"Απόψε είναι πολύ σκοτεινά."}},
		"":        {nil, {"", "!!!", "…", "12"}},
	} {
		for _, p := range pages {
			require.Equal(t, want, regions.Language(p), "%q", p)
		}
	}
}

func TestLinesThatNobodyReadsAreRegionsWithoutText(t *testing.T) {
	t.Parallel()
	img := canvas(gray)
	fill(img, image.Rect(80, 80, 320, 220), color.White)
	lines := []regions.Line{row(img, color.Black, "IpNBeT", 110, 120, 260, 150), row(img, color.Black, "", 110, 150, 200, 178)}
	for i := range lines {
		lines[i].Unread = true
	}
	found := group(t, img, lines, "und")
	require.Len(t, found, 1)
	require.True(t, found[0].Unread)
	require.Empty(t, found[0].Text)
	require.Len(t, found[0].Lines, 2)
	require.Equal(t, comic.KindDialogue, found[0].Kind)
	require.False(t, math.IsNaN(found[0].Prob))
}

func TestGroupingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := regions.Group(ctx, regions.Page{Image: canvas(gray)})
	require.ErrorIs(t, err, context.Canceled)
}
