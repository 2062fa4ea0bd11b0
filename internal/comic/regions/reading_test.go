package regions_test

import (
	"context"
	"encoding/json"
	"image"
	"image/draw"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic"
	"plait/internal/comic/detect"
	"plait/internal/comic/ocr"
	"plait/internal/comic/regions"
	"plait/internal/onnx"
	"plait/internal/raster"
)

// reader finds and reads the lines of pictures with the models of the assets.
type reader struct {
	detector   *detect.Detector
	recognizer *ocr.Recognizer
}

func newReader(t *testing.T, places int) reader {
	t.Helper()
	set := assetstest.Open(t)
	library, err := set.Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU, Threads: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	load := func(name string, model func(name, path, sha256 string) onnx.Model) *onnx.Pool {
		file, err := set.File(name)
		require.NoError(t, err)
		path, err := set.Path(name)
		require.NoError(t, err)
		pool, err := rt.Load(model(name, path, file.SHA256), places)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, pool.Close()) })
		return pool
	}
	recognizer, err := ocr.New(load(assets.RecognizeModel, ocr.Model))
	require.NoError(t, err)
	return reader{detect.New(load(assets.DetectModel, detect.Model), detect.DefaultParams()), recognizer}
}

// read returns the lines of a page and their language.
func (r reader) read(ctx context.Context, t *testing.T, img *image.NRGBA) ([]regions.Line, string) {
	t.Helper()
	found, err := r.detector.Lines(ctx, img)
	require.NoError(t, err)
	quads := make([]raster.Quad, len(found))
	for i, l := range found {
		quads[i] = l.Quad
	}
	readings, err := r.recognizer.Read(ctx, img, quads)
	require.NoError(t, err)
	lines, texts := make([]regions.Line, len(quads)), make([]string, len(quads))
	for i, reading := range readings {
		lines[i] = regions.Line{Quad: quads[i], Text: reading.Text, Prob: reading.Prob, Vertical: reading.Vertical}
		texts[i] = reading.Text
	}
	return lines, regions.Language(texts)
}

func decodePage(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	src, _, err := image.Decode(f)
	require.NoError(t, err)
	img := image.NewNRGBA(image.Rect(0, 0, src.Bounds().Dx(), src.Bounds().Dy()))
	draw.Draw(img, img.Rect, src, src.Bounds().Min, draw.Src)
	return img
}

// truth describes the pages as the drawing program drew them, with blocks in reading order.
type truth struct {
	Language string `json:"language"`
	Pages    []struct {
		Page   string `json:"page"`
		Blocks []struct {
			Kind      string          `json:"kind"`
			Box       [4]float64      `json:"box"`
			Direction comic.Direction `json:"direction"`
			Text      string          `json:"text"`
		} `json:"blocks"`
	} `json:"pages"`
}

// letters are the letters and digits of s: a lost full stop does not make a reading wrong.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func TestDrawnPages(t *testing.T) {
	t.Parallel()
	examples := filepath.Join(assetstest.ModuleRoot(), "examples")
	r := newReader(t, 2)
	for _, c := range []struct {
		truth, pages string
		only         []string
	}{
		{"small/truth.json", "small", nil},
		{"truth.json", "chapter", []string{"02.png", "03.png", "05.png"}},
	} {
		b, err := os.ReadFile(filepath.Join(examples, c.truth))
		require.NoError(t, err)
		var want truth
		require.NoError(t, json.Unmarshal(b, &want))
		for _, page := range want.Pages {
			if c.only != nil && !strings.Contains(strings.Join(c.only, " "), page.Page) {
				continue
			}
			img := decodePage(t, filepath.Join(examples, c.pages, page.Page))
			lines, language := r.read(t.Context(), t, img)
			found := group(t, img, lines, want.Language)
			require.Len(t, found, len(page.Blocks), "%s %s: %q", c.pages, page.Page, texts(found))
			for i, block := range page.Blocks {
				require.Equal(t, letters(block.Text), letters(found[i].Text))
				require.Equal(t, block.Direction, found[i].Direction)
				require.Equal(t, want.Language, language)
				if block.Kind == "dialogue" {
					require.Equal(t, comic.KindDialogue, found[i].Kind, block.Text)
				}
				x0, y0, x1, y1 := found[i].Bounds()
				margin := found[i].FontSize / 2
				require.InDelta(t, block.Box[0], x0, margin)
				require.InDelta(t, block.Box[1], y0, margin)
				require.InDelta(t, block.Box[2], x1, margin)
				require.InDelta(t, block.Box[3], y1, margin)
			}
		}
	}
}
