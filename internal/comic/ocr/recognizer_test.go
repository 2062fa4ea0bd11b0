package ocr_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/raster"
)

func loadModel(t *testing.T, threads int, name string, model func(name, path, sha256 string) onnx.Model) *onnx.Pool {
	t.Helper()
	set := assetstest.Open(t)
	path, err := set.Path(name)
	require.NoError(t, err)
	file, err := set.File(name)
	require.NoError(t, err)
	return loadFile(t, threads, model(file.Name, path, file.SHA256))
}

func loadFile(t *testing.T, threads int, model onnx.Model) *onnx.Pool {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Threads: threads})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	pool, err := rt.Load(model, 2)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return pool
}

func newRecognizer(t *testing.T, threads int) *ocr.Recognizer {
	t.Helper()
	r, err := ocr.New(loadModel(t, threads, assets.RecognizeModel, ocr.Model))
	require.NoError(t, err)
	return r
}

// page is a picture that lines are written on.
type page struct {
	*image.NRGBA
	ink   color.Color
	quads []raster.Quad
}

func newPage(width, height int, paper, ink color.Color) *page {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return &page{NRGBA: img, ink: ink}
}

// write draws a line, or a column with one character a cell, with a margin as wide as the detector's.
func (p *page) write(t *testing.T, fontName, text string, size, x, y int, vertical bool) {
	t.Helper()
	path, err := assetstest.Open(t).Path(fontName)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	parsed, err := opentype.Parse(b)
	require.NoError(t, err)
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72})
	require.NoError(t, err)
	d := font.Drawer{Dst: p.NRGBA, Src: image.NewUniform(p.ink), Face: face, Dot: fixed.P(x, y+size*9/10)}
	width, height := font.MeasureString(face, text).Ceil(), size
	if vertical {
		width, height = size, size*len([]rune(text))
		for i, r := range []rune(text) {
			d.Dot = fixed.P(x, y+size*i+size*9/10)
			d.DrawString(string(r))
		}
	} else {
		d.DrawString(text)
	}
	m := float64(size) / 6
	x0, y0, x1, y1 := float64(x)-m, float64(y)-m, float64(x+width)+m, float64(y+height)+m
	p.quads = append(p.quads, raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
}

func TestRead(t *testing.T) {
	t.Parallel()
	const latin, japanese, chinese = "font-comic-neue-bold", "font-noto-sans-jp-medium", "font-noto-sans-sc-medium"
	r := newRecognizer(t, 1)
	for name, c := range map[string]struct {
		font, text string
		size       int
		vertical   bool
		inverted   bool
	}{
		"english":         {font: latin, text: "Wait for me, Captain!", size: 26},
		"english, large":  {font: latin, text: "Wait for me!", size: 110},
		"english, small":  {font: latin, text: "Wait for me, Captain!", size: 14},
		"white on black":  {font: latin, text: "Lights out.", size: 30, inverted: true},
		"japanese":        {font: japanese, text: "今夜は星がきれい", size: 28},
		"japanese column": {font: japanese, text: "今夜は星がきれい", size: 28, vertical: true},
		"doubtful column": {font: japanese, text: "どこへ", size: 28, vertical: true},
		"short column":    {font: japanese, text: "灯台", size: 40, vertical: true},
		"chinese":         {font: chinese, text: "我们一起去看灯塔吧", size: 28},
		"chinese column":  {font: chinese, text: "我们一起去看灯塔吧", size: 28, vertical: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			paper, ink := color.Color(color.White), color.Color(color.Black)
			if c.inverted {
				paper, ink = ink, paper
			}
			p := newPage(800, 400, paper, ink)
			p.write(t, c.font, c.text, c.size, 60, 50, c.vertical)
			readings, err := r.Read(t.Context(), p.NRGBA, p.quads)
			require.NoError(t, err)
			require.Len(t, readings, 1)
			require.Equal(t, c.text, readings[0].Text)
			require.Equal(t, c.vertical, readings[0].Vertical)
			require.Greater(t, readings[0].Prob, 0.8)
		})
	}
}

// A short column with much room around it, as the detector leaves for ruby or a halo, is hardly higher than wide.
func TestAShortColumnIsReadDownward(t *testing.T) {
	t.Parallel()
	r := newRecognizer(t, 1)
	for text, vertical := range map[string]bool{"あっ": true, "失礼": true, "待て": true, "火": false} {
		p := newPage(300, 300, color.White, color.Black)
		p.write(t, "font-noto-sans-jp-medium", text, 36, 100, 100, true)
		for i, d := range [4]raster.Point{{-10, -4}, {10, -4}, {10, 4}, {-10, 4}} {
			p.quads[0][i][0] += d[0]
			p.quads[0][i][1] += d[1]
		}
		readings, err := r.Read(t.Context(), p.NRGBA, p.quads)
		require.NoError(t, err)
		require.Equal(t, text, readings[0].Text)
		require.Equal(t, vertical, readings[0].Vertical, text)
	}
}

// The detector takes a short column and furigana that is as long for one line.
func TestAColumnIsReadWithoutItsFurigana(t *testing.T) {
	t.Parallel()
	r := newRecognizer(t, 1)
	p := newPage(300, 300, color.White, color.Black)
	p.write(t, "font-noto-sans-jp-medium", "失礼", 36, 100, 100, true)
	p.write(t, "font-noto-sans-jp-medium", "しつれい", 18, 136, 100, true)
	readings, err := r.Read(t.Context(), p.NRGBA, []raster.Quad{raster.QuadOf(94, 92, 163, 180)})
	require.NoError(t, err)
	require.Equal(t, "失礼", readings[0].Text)
	require.True(t, readings[0].Vertical)
}

func TestReadIsTheSameOnAnyThreads(t *testing.T) {
	t.Parallel()
	p := newPage(500, 200, color.White, color.Black)
	p.write(t, "font-comic-neue-regular", "First of all,", 30, 40, 20, false)
	p.write(t, "font-comic-neue-regular", "who are you?", 24, 40, 80, false)
	p.write(t, "font-comic-neue-italic", "nobody", 20, 40, 140, false)
	r := newRecognizer(t, 1)
	require.NoError(t, r.Warm(t.Context()))
	first, err := r.Read(t.Context(), p.NRGBA, p.quads)
	require.NoError(t, err)
	require.Equal(t, "who are you?", first[1].Text)
	threaded, err := newRecognizer(t, 2).Read(t.Context(), p.NRGBA, p.quads)
	require.NoError(t, err)
	require.Equal(t, first, threaded)
}

func TestReadEnds(t *testing.T) {
	t.Parallel()
	r := newRecognizer(t, 1)
	p := newPage(100, 100, color.White, color.Black)
	readings, err := r.Read(t.Context(), p.NRGBA, nil)
	require.NoError(t, err)
	require.Empty(t, readings)

	// Lines without an area, beyond the page or turned inside out do no harm.
	odd := []raster.Quad{{}, {{-50, -50}, {500, -50}, {500, 300}, {-50, 300}}, {{90, 90}, {10, 90}, {10, 10}, {90, 10}}}
	readings, err = r.Read(t.Context(), p.NRGBA, odd)
	require.NoError(t, err)
	require.Len(t, readings, len(odd))

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.Read(ctx, p.NRGBA, odd)
	require.ErrorIs(t, err, context.Canceled)
}

func TestNewRefusesModelWithoutDictionary(t *testing.T) {
	t.Parallel()
	_, err := ocr.New(loadModel(t, 1, assets.DetectModel, detect.Model))
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, "has no dictionary")
}
