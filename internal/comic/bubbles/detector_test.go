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
	"plait/internal/onnx"
	"plait/internal/onnx/onnxtest"
	"plait/internal/raster"
)

func newDetector(t *testing.T, boxes ...box) *bubbles.Detector {
	t.Helper()
	library, err := assetstest.Open(t).Path(assets.OnnxRuntime)
	require.NoError(t, err)
	rt, err := onnx.Open(onnx.Config{LibraryPath: library, Device: onnx.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, rt.Close()) })
	path, digest := onnxtest.Write(t, "bubbles.onnx", modelOf(boxes...))
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
		box{X0: 0.1, Y0: 0.2, X1: 0.5, Y1: 0.4, Score: 0.8},
		box{X0: 0.2, Y0: 0.25, X1: 0.4, Y1: 0.35, Class: 1, Score: 0.9},
		box{X0: 0.2, Y0: 0.25, X1: 0.4, Y1: 0.35, Class: 2, Score: 0.9},
		box{X0: -1, Y0: 0.9, X1: 2, Y1: 1.5, Score: 0.5},      // clipped to the page
		box{X0: 0, Y0: 0, X1: 1, Y1: 1, Score: 0.29},          // low score
		box{X0: 0, Y0: 0, X1: 1, Y1: 1, Class: 3, Score: 0.9}, // unknown class
		box{X0: 0.5, Y0: 0, X1: 0.5, Y1: 1, Score: 0.9},       // empty
		box{X0: nan, Y0: nan, X1: nan, Y1: nan, Score: 0.9},
		box{X0: 0, Y0: 0, X1: 1, Y1: 1, Score: nan},
	)
	require.NoError(t, d.Warm(t.Context()))
	found, err := d.Find(t.Context(), page(500, 800, color.White))
	require.NoError(t, err)
	require.Equal(t, []image.Rectangle{image.Rect(50, 160, 250, 320), image.Rect(0, 720, 500, 800)}, found)

	// Transparent pixels are white, black ones are 0.
	for c, n := range map[color.Color]int{color.Transparent: 2, color.Black: 0} {
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
		box{X0: 0.1, Y0: 0.7, X1: 0.9, Y1: 0.95, Score: 0.9},
		box{X0: 0.1, Y0: 0.05, X1: 0.9, Y1: 0.3, Score: 0.8},
	)
	found, err := d.Find(t.Context(), page(100, 350, color.White))
	require.NoError(t, err)
	require.Len(t, found, 4) // 3 windows: the first's upper, the last's lower, and two shared
	for _, b := range found {
		require.InDelta(t, 80, b.Dx(), 1)
		require.InDelta(t, 40, b.Dy(), 3)
	}
	wide, err := d.Find(t.Context(), page(350, 100, color.White))
	require.NoError(t, err)
	require.NotEmpty(t, wide)
}

func TestALineIsInTheSmallestBubbleAroundIt(t *testing.T) {
	t.Parallel()
	line := func(x, y float64) raster.Quad {
		return raster.Quad{{x - 5, y - 2}, {x + 5, y - 2}, {x + 5, y + 2}, {x - 5, y + 2}}
	}
	boxes := []image.Rectangle{image.Rect(0, 0, 100, 100), image.Rect(40, 40, 60, 60)}
	for at, want := range map[[2]float64]int{{10, 10}: 0, {50, 50}: 1, {250, 50}: -1, {150, 50}: -1} {
		require.Equal(t, want, bubbles.Around(boxes, line(at[0], at[1])))
	}
}
