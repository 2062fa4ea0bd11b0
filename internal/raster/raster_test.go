package raster_test

import (
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestAtLaysOverWhite(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	img.Set(1, 1, color.NRGBA{R: 10, G: 20, B: 30, A: 255})
	img.Set(2, 1, color.NRGBA{R: 0, G: 100, B: 255, A: 51})
	require.Equal(t, raster.White, raster.At(img, 0, 0), "transparent")
	require.Equal(t, raster.RGB{10, 20, 30}, raster.At(img, 1, 1))
	require.Equal(t, raster.RGB{204, 224, 255}, raster.At(img, 2, 1), "a fifth of the color")
}

func TestDistances(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b       raster.RGB
		difference int
		distance   float64
		distinct   bool
	}{
		"equal":          {raster.RGB{9, 9, 9}, raster.RGB{9, 9, 9}, 0, 0, false},
		"shading":        {raster.White, raster.RGB{225, 225, 225}, 30, 51.96, false},
		"one channel":    {raster.RGB{0, 60, 0}, raster.Black, 60, 60, true},
		"black on white": {raster.Black, raster.White, 255, 441.67, true},
	} {
		require.Equal(t, c.difference, raster.Difference(c.a, c.b), name)
		require.InDelta(t, c.distance, raster.Distance(c.b, c.a), 0.01, name)
		require.Equal(t, c.distinct, raster.Distinct(c.a, c.b), name)
	}
}

func TestContrastIsPerceptual(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 100, raster.Contrast(raster.Black, raster.White), 0.01)
	require.InDelta(t, 53.6, raster.Lightness(raster.RGB{128, 128, 128}), 0.1)
	require.Equal(t, raster.Black, raster.Opposite(raster.RGB{255, 230, 0}), "on yellow")
	require.Equal(t, raster.White, raster.Opposite(raster.RGB{30, 60, 200}), "on blue")
}

func TestMedian(t *testing.T) {
	t.Parallel()
	median, share := raster.Median([]raster.RGB{{0, 0, 0}, {250, 250, 250}, {255, 240, 255}, {244, 244, 244}}, 10)
	require.Equal(t, raster.RGB{250, 244, 250}, median)
	require.InDelta(t, 0.75, share, 0.001)
	median, share = raster.Median(nil, 10)
	require.Equal(t, raster.Black, median)
	require.Zero(t, share)
}

func TestBlend(t *testing.T) {
	t.Parallel()
	white, blue := raster.RGB{255, 255, 255}, raster.RGB{55, 55, 255}
	for _, c := range []struct {
		name    string
		color   raster.RGB
		at, off float64
	}{
		{"an end", white, 0, 0},
		{"the middle", raster.RGB{155, 155, 255}, 0.5, 0},
		{"beside the line", raster.RGB{155, 155, 205}, 0.5, 50},
		{"far beyond the end", raster.RGB{0, 0, 255}, 1.275, 21},
	} {
		position, off := raster.Blend(c.color, white, blue)
		require.InDelta(t, c.at, position, 0.01, c.name)
		require.InDelta(t, c.off, off, 0.5, c.name)
	}
	_, off := raster.Blend(blue, white, white)
	require.Greater(t, off, 255.0, "a line without length")
}

func TestTheQuantileOfWeightedValues(t *testing.T) {
	t.Parallel()
	values := []raster.Weighted{{Value: 3, Weight: 1}, {Value: 1, Weight: 2}, {Value: 2, Weight: 1}}
	require.InDelta(t, 1, raster.Quantile(values, 0.5), 0)
	require.InDelta(t, 2, raster.Quantile(values, 0.6), 0)
	require.InDelta(t, 3, raster.Quantile(values, 1), 0)
	require.Zero(t, raster.Quantile(nil, 0.5))
}
