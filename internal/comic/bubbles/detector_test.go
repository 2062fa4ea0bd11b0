package bubbles_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/comic/bubbles"
	"plait/internal/comic/bubbles/bubblestest"
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
	"plait/internal/raster"
)

func newDetector(t *testing.T, boxes ...bubbles.Box) *bubbles.Detector {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	path, digest := onnxtest.Write(t, "bubbles.onnx", bubblestest.Model(boxes...))
	pool, err := rt.Load(bubbles.Model("bubbles", path, digest), 2)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	return bubbles.New(pool)
}

func page(width, height int, c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func TestFind(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	d := newDetector(t,
		bubbles.Box{X0: 0.1, Y0: 0.2, X1: 0.5, Y1: 0.4, Class: bubbles.Bubble, Score: 0.8},
		bubbles.Box{X0: 0.2, Y0: 0.25, X1: 0.4, Y1: 0.35, Class: bubbles.BubbleText, Score: 0.9},
		bubbles.Box{X0: -1, Y0: 0.9, X1: 2, Y1: 1.5, Class: bubbles.FreeText, Score: 0.5}, // clipped to the page
		bubbles.Box{X0: 0, Y0: 0, X1: 1, Y1: 1, Class: bubbles.Bubble, Score: 0.29},       // low score
		bubbles.Box{X0: 0, Y0: 0, X1: 1, Y1: 1, Class: 3, Score: 0.9},                     // unknown class
		bubbles.Box{X0: 0.5, Y0: 0, X1: 0.5, Y1: 1, Class: bubbles.Bubble, Score: 0.9},    // empty
		bubbles.Box{X0: nan, Y0: nan, X1: nan, Y1: nan, Class: bubbles.Bubble, Score: 0.9},
		bubbles.Box{X0: 0, Y0: 0, X1: 1, Y1: 1, Class: bubbles.Bubble, Score: nan},
	)
	require.NoError(t, d.Warm(t.Context()))
	found, err := d.Find(t.Context(), page(500, 800, color.White))
	require.NoError(t, err)
	want := []bubbles.Box{
		{X0: 100, Y0: 200, X1: 200, Y1: 280, Class: bubbles.BubbleText, Score: 0.9},
		{X0: 50, Y0: 160, X1: 250, Y1: 320, Class: bubbles.Bubble, Score: 0.8},
		{X0: 0, Y0: 720, X1: 500, Y1: 800, Class: bubbles.FreeText, Score: 0.5},
	}
	require.Len(t, found, len(want))
	for i, b := range found {
		require.Equal(t, want[i].Class, b.Class)
		require.InDeltaSlice(t, []float64{want[i].X0, want[i].Y0, want[i].X1, want[i].Y1}, []float64{b.X0, b.Y0, b.X1, b.Y1}, 0.01)
		require.InDelta(t, want[i].Score, b.Score, 1e-4)
	}

	// Transparent pixels are white, black ones are 0.
	for c, n := range map[color.Color]int{color.Transparent: 3, color.Black: 0} {
		found, err = d.Find(t.Context(), page(64, 64, c))
		require.NoError(t, err)
		require.Len(t, found, n)
	}
	found, err = d.Find(t.Context(), image.NewNRGBA(image.Rectangle{}))
	require.NoError(t, err)
	require.Empty(t, found)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = d.Find(ctx, page(64, 64, color.White))
	require.ErrorIs(t, err, context.Canceled)
}

func TestStripsAreSeenInWindowsWithoutDoubles(t *testing.T) {
	t.Parallel()
	// Each window of 150 px shares 50 with the next: a box in its lower third and one in its upper third are the same.
	d := newDetector(t,
		bubbles.Box{X0: 0.1, Y0: 0.7, X1: 0.9, Y1: 0.95, Class: bubbles.Bubble, Score: 0.9},
		bubbles.Box{X0: 0.1, Y0: 0.05, X1: 0.9, Y1: 0.3, Class: bubbles.Bubble, Score: 0.8},
	)
	found, err := d.Find(t.Context(), page(100, 350, color.White))
	require.NoError(t, err)
	require.Len(t, found, 4) // 3 windows: the first's upper, the last's lower, and two shared
	for _, b := range found {
		require.InDelta(t, 80, b.X1-b.X0, 0.01)
		require.InDelta(t, 40, b.Y1-b.Y0, 3)
	}
	wide, err := d.Find(t.Context(), page(350, 100, color.White))
	require.NoError(t, err)
	require.NotEmpty(t, wide)
}

func TestDivide(t *testing.T) {
	t.Parallel()
	line := func(x, y float64) raster.Quad {
		return raster.Quad{{x - 5, y - 2}, {x + 5, y - 2}, {x + 5, y + 2}, {x - 5, y + 2}}
	}
	boxes := []bubbles.Box{
		{X0: 0, Y0: 0, X1: 100, Y1: 100, Class: bubbles.Bubble},
		{X0: 40, Y0: 40, X1: 60, Y1: 60, Class: bubbles.Bubble},
		{X0: 200, Y0: 0, X1: 300, Y1: 100, Class: bubbles.FreeText},
	}
	require.Equal(t, []int{0, 1, -1, -1}, bubbles.Divide(boxes, []raster.Quad{line(10, 10), line(50, 50), line(250, 50), line(150, 50)}))
	require.Empty(t, bubbles.Divide(boxes, nil))
}
