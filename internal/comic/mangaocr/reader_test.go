package mangaocr_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic/mangaocr"
	"plait/internal/core"
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
	"plait/internal/raster"
)

// tokens is a vocabulary file. Tokens from 5 are text.
const tokens = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nた\n##す\nけ\n.\n!\n夜\n"

func newReader(t *testing.T, decoder []byte, vocabulary string) (*mangaocr.Reader, error) {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	load := func(name string, content []byte, model func(name, path, sha256 string) onnx.Model) *onnx.Pool {
		path, digest := onnxtest.Write(t, name, content)
		pool, err := rt.Load(model(name, path, digest), 2)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, pool.Close()) })
		return pool
	}
	v, err := mangaocr.ParseVocabulary([]byte(vocabulary))
	require.NoError(t, err)
	return mangaocr.New(load("encoder", encoder(), mangaocr.EncoderModel), load("decoder", decoder, mangaocr.DecoderModel), v)
}

// halves is a page whose left half is black.
func halves() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(img, image.Rect(0, 0, 100, 100), image.NewUniform(color.Black), image.Point{}, draw.Src)
	return img
}

func quad(x0, y0, x1, y1 float64) raster.Quad {
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	// Dark lines read "夜", light ones "たすけ...!" with one token that is not text.
	r, err := newReader(t, decoderOf(11, []int64{10}, []int64{5, 6, 7, 4, 8, 9}), tokens)
	require.NoError(t, err)
	require.NoError(t, r.Warm(t.Context()))
	slanted := raster.Quad{{150, 20}, {170, 40}, {150, 60}, {130, 40}}
	readings, err := r.Read(t.Context(), halves(), []raster.Quad{quad(10, 10, 90, 30), quad(110, 10, 130, 90), {}, slanted})
	require.NoError(t, err)
	require.Len(t, readings, 4)
	require.Equal(t, "夜", readings[0].Text)
	require.Greater(t, readings[0].Prob, 0.99)
	require.False(t, readings[0].Vertical)
	require.Equal(t, "たすけ．！", readings[1].Text)
	require.InDelta(t, 5.0/6, readings[1].Prob, 0.01)
	require.True(t, readings[1].Vertical)
	require.Empty(t, readings[2].Text)
	require.Equal(t, "たすけ．！", readings[3].Text)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.Read(ctx, halves(), []raster.Quad{quad(10, 10, 90, 30)})
	require.ErrorIs(t, err, context.Canceled)
}

func TestATextWithoutEndIsNone(t *testing.T) {
	t.Parallel()
	// "す" is followed by "た" again, so the text never ends.
	r, err := newReader(t, decoderOf(11, []int64{5, 6, 5}, []int64{10}), tokens)
	require.NoError(t, err)
	readings, err := r.Read(t.Context(), halves(), []raster.Quad{quad(10, 10, 90, 30)})
	require.NoError(t, err)
	require.Empty(t, readings[0].Text)
	require.Zero(t, readings[0].Prob)
}

func TestNewRefusesAnotherVocabulary(t *testing.T) {
	t.Parallel()
	_, err := newReader(t, decoderOf(11, []int64{5}, []int64{10}), tokens+"朝\n")
	require.Equal(t, core.CodeModelMissing, core.CodeOf(err))
	require.ErrorContains(t, err, `model "decoder" has 11 tokens, but its vocabulary has 12`)
}

func TestParseVocabulary(t *testing.T) {
	t.Parallel()
	v, err := mangaocr.ParseVocabulary([]byte("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[\r\n##ー"))
	require.NoError(t, err)
	require.Equal(t, mangaocr.Vocabulary{"", "", "", "", "[", "ー"}, v)
	for _, bad := range []string{"", "a\nb\nc\nd", strings.Repeat("a\n", 1<<17+1)} {
		_, err = mangaocr.ParseVocabulary([]byte(bad))
		require.Error(t, err)
	}
}
