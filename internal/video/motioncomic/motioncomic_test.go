package motioncomic_test

import (
	"crypto/sha256"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
	"plait/internal/video/ffmpeg"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/internal/video/motioncomic"
)

// The boxes of the panels of page.
var (
	left   = image.Rect(40, 40, 380, 500)
	right  = image.Rect(420, 40, 760, 500)
	bottom = image.Rect(40, 540, 760, 1160)
)

// page has two panels side by side over a third, each of one gray.
func page() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 800, 1200))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for i, box := range []image.Rectangle{left, right, bottom} {
		draw.Draw(m, box, image.Black, image.Point{}, draw.Src)
		draw.Draw(m, box.Inset(4), image.NewUniform(color.Gray{Y: byte(60 + 50*i)}), image.Point{}, draw.Src)
	}
	return m
}

func text(box image.Rectangle, words string, kind comic.RegionKind) comic.Region {
	x0, y0, x1, y1 := float64(box.Min.X), float64(box.Min.Y), float64(box.Max.X), float64(box.Max.Y)
	return comic.Region{Text: words, Kind: kind, Lines: []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}}
}

func TestPanelsComeInReadingOrderWithTheirTexts(t *testing.T) {
	t.Parallel()
	regions := []comic.Region{
		text(left.Inset(100), "left", comic.KindDialogue), text(right.Inset(100), "right", comic.KindDialogue),
		text(image.Rect(380, 1170, 420, 1190), "7", comic.KindFurniture), text(image.Rect(100, 505, 300, 530), "between", comic.KindFree),
	}
	for _, c := range []struct {
		rightToLeft bool
		want        [][]string
	}{
		{false, [][]string{{"left", "between"}, {"right"}, nil}},
		{true, [][]string{{"right"}, {"left", "between"}, nil}},
	} {
		var texts [][]string
		for _, p := range motioncomic.Panels(page(), regions, c.rightToLeft) {
			texts = append(texts, p.Texts)
		}
		require.Equal(t, c.want, texts)
	}
	panels := motioncomic.Panels(image.NewNRGBA(image.Rect(0, 0, 90, 60)), regions[:1], false)
	require.Equal(t, []motioncomic.Panel{{Box: image.Rect(0, 0, 90, 60), Texts: []string{"left"}}}, panels, "a picture without gutters is one panel")
}

func TestTextsTakeTheirTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		texts    []string
		language string
		want     float64
	}{
		{nil, "en", 2},
		{[]string{strings.Repeat("a ", 987/10)}, "en", 1 + 98*60.0/987},
		{[]string{"海が", "見える"}, "ja", 2},
		{[]string{strings.Repeat("海", 34)}, "zh-Hant", 1 + 34*60.0/255},
		{[]string{strings.Repeat("바", 34)}, "ko", 1 + 34*60.0/357},
		{[]string{strings.Repeat("ž", 86)}, "cs", 1 + 86*0.068},
		{[]string{strings.Repeat("x", 5000)}, "und", 15},
	} {
		require.InDelta(t, c.want, motioncomic.Seconds(c.texts, c.language), 1e-9, "%v", c)
	}
}

// The camera shows one panel after the other, for as long as its text takes, and the same pages give the same file.
func TestAFilmOfAPage(t *testing.T) {
	t.Parallel()
	film := func() (path string, seconds float64) {
		path = filepath.Join(t.TempDir(), "film.mp4")
		f, err := motioncomic.Start(t.Context(), ffmpegtest.Program(t), path, 320, 180)
		require.NoError(t, err)
		require.NoError(t, f.Add(motioncomic.Page{
			Picture: page(), Language: "en",
			Panels: []motioncomic.Panel{{Box: left}, {Box: right, Texts: []string{strings.Repeat("a", 50)}}, {Box: bottom}},
		}))
		require.NoError(t, f.Close())
		return path, f.Seconds()
	}
	path, seconds := film()
	require.InDelta(t, 2+0.75+(1+50*60.0/987)+0.75+2, seconds, 0.1)
	program := ffmpegtest.Program(t)
	info, err := program.Probe(t.Context(), path)
	require.NoError(t, err)
	require.Empty(t, info.Damage)
	require.Equal(t, []any{"h264", "yuv420p", 320, 180}, []any{info.Codec, info.PixelFormat, info.Width, info.Height})
	require.InDelta(t, 24, info.Rate(), 1e-6)
	require.InDelta(t, seconds, info.Duration().Seconds(), 0.05)
	for at, gray := range map[float64]float64{1: 60, 2.75 + 2: 110, seconds - 1: 160} {
		require.InDelta(t, gray, middle(t, path, int(at*24)), 6, "after %.1f seconds", at)
	}

	other, _ := film()
	first, err := os.ReadFile(path)
	require.NoError(t, err)
	again, err := os.ReadFile(other)
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256(first), sha256.Sum256(again))
}

// middle is the brightness of the middle of a frame.
func middle(t *testing.T, path string, frame int) float64 {
	t.Helper()
	frames, err := ffmpegtest.Program(t).Decode(t.Context(), path, ffmpeg.Decoding{Width: 320, Height: 180, Skip: frame, Count: 1})
	require.NoError(t, err)
	defer frames.Close()
	pixels := make([]byte, frames.Size())
	require.NoError(t, frames.Next(pixels))
	return float64(pixels[3*(90*320+160)])
}
