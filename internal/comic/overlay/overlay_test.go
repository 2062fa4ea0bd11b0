package overlay_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/overlay"
	"plait/internal/core"
	"plait/internal/raster"
)

func fonts(t *testing.T) *overlay.Fonts {
	t.Helper()
	f, err := overlay.LoadFonts(filepath.Join(assetstest.Dir(t), "fonts"))
	require.NoError(t, err)
	return f
}

func blank(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	return img
}

func box(x0, y0, x1, y1 float64) raster.Quad {
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

func region(index int, text string, q raster.Quad) comic.Region {
	return comic.Region{
		Index: index, Lines: []raster.Quad{q}, Texts: []string{text}, Text: text, Kind: comic.KindDialogue,
		Direction: comic.Horizontal, SourceLang: "ja", Prob: 0.98,
	}
}

// marked counts the pixels in r that differ from an overlay without regions.
func marked(t *testing.T, page *image.NRGBA, with *image.RGBA, r image.Rectangle, f *overlay.Fonts) int {
	t.Helper()
	without, err := overlay.Draw(t.Context(), page, nil, f)
	require.NoError(t, err)
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if with.RGBAAt(x, y) != without.RGBAAt(x, y) {
				n++
			}
		}
	}
	return n
}

func TestAPageIsMarkedAndNotChanged(t *testing.T) {
	t.Parallel()
	f, page := fonts(t), blank(600, 800)
	regions := []comic.Region{region(0, "今夜は星がきれいだね。", box(200, 100, 400, 140))}
	got, err := overlay.Draw(t.Context(), page, regions, f)
	require.NoError(t, err)
	require.Equal(t, page.Rect, got.Rect)
	require.Equal(t, blank(600, 800).Pix, page.Pix, "the page itself does not change")
	require.Greater(t, marked(t, page, got, image.Rect(190, 90, 410, 150), f), 5000, "the line is tinted")
	require.Greater(t, marked(t, page, got, image.Rect(0, 150, 600, 800), f), 1000, "a label is beside it")
	require.Equal(t, color.RGBA{245, 245, 245, 255}, got.RGBAAt(599, 799), "white becomes pale gray")

	again, err := overlay.Draw(t.Context(), page, regions, f)
	require.NoError(t, err)
	require.Equal(t, got.Pix, again.Pix, "the same page gives the same picture")
}

// Labels avoid lettering: how a line of one region looks does not depend on the text of another.
func TestLabelsLeaveLetteringInView(t *testing.T) {
	t.Parallel()
	f, page := fonts(t), blank(900, 900)
	lines := make([]raster.Quad, 6)
	for i := range lines {
		x, y := float64(100+400*(i%2)), float64(100+260*(i/2))
		lines[i] = box(x, y, x+260, y+60)
	}
	drawn := func(text string) *image.RGBA {
		var regions []comic.Region
		for i, q := range lines {
			regions = append(regions, region(i, text, q))
		}
		got, err := overlay.Draw(t.Context(), page, regions, f)
		require.NoError(t, err)
		return got
	}
	short, long := drawn("あ"), drawn(strings.Repeat("長い文が続いています。", 4))
	for _, q := range lines {
		x0, y0, x1, y1 := q.Bounds()
		for y := int(y0); y < int(y1); y++ {
			for x := int(x0); x < int(x1); x++ {
				require.Equal(t, short.RGBAAt(x, y), long.RGBAAt(x, y), "%d,%d", x, y)
			}
		}
	}
}

// A region is drawn even if its label does not fit, for any page, text and shape.
func TestEveryRegionIsDrawn(t *testing.T) {
	t.Parallel()
	f := fonts(t)
	for name, c := range map[string]struct {
		width, height int
		region        comic.Region
	}{
		"a text longer than a label":   {600, 800, region(0, strings.Repeat("word ", 500), box(10, 10, 590, 790))},
		"a word longer than the page":  {300, 300, region(0, strings.Repeat("W", 300), box(100, 100, 200, 120))},
		"a page smaller than a label":  {20, 20, region(0, "大きなラベル", box(2, 2, 18, 18))},
		"nothing read":                 {300, 300, region(0, "", box(100, 100, 200, 120))},
		"a character that no font has": {300, 300, region(0, "\U0001F9FF", box(100, 100, 200, 120))},
		"no width":                     {300, 300, region(0, "線", box(100, 100, 100, 200))},
		"three digits of order":        {300, 300, region(122, "百二十三", box(100, 100, 200, 120))},
		"lines beyond the page":        {300, 300, region(0, "外", box(-50, -50, 350, 350))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := blank(c.width, c.height)
			got, err := overlay.Draw(t.Context(), page, []comic.Region{c.region}, f)
			require.NoError(t, err)
			require.Positive(t, marked(t, page, got, page.Rect, f))
		})
	}
}

// A recognizer added by the user may read Hangul. The two syllables must look different, so neither is the box of a missing glyph.
func TestLabelsHaveHangul(t *testing.T) {
	t.Parallel()
	f, page := fonts(t), blank(300, 300)
	drawn := func(text string) []byte {
		got, err := overlay.Draw(t.Context(), page, []comic.Region{region(0, text, box(100, 100, 200, 120))}, f)
		require.NoError(t, err)
		return got.Pix
	}
	require.NotEqual(t, drawn("안"), drawn("녕"))
}

func TestTransparentPagesLieOnWhite(t *testing.T) {
	t.Parallel()
	got, err := overlay.Draw(t.Context(), image.NewNRGBA(image.Rect(0, 0, 50, 50)), nil, fonts(t))
	require.NoError(t, err)
	require.Equal(t, color.RGBA{245, 245, 245, 255}, got.RGBAAt(25, 25))
}

func TestDrawingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := overlay.Draw(ctx, blank(50, 50), nil, fonts(t))
	require.ErrorIs(t, err, context.Canceled)
}

func TestAMissingFontIsNamed(t *testing.T) {
	t.Parallel()
	_, err := overlay.LoadFonts(t.TempDir())
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.Contains(t, fmt.Sprint(err), "NotoSansJP_500Medium.ttf")
}
