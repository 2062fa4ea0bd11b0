package raster_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestPlanes(t *testing.T) {
	t.Parallel()
	var places []image.Point
	var colors []raster.RGB
	for y := range 10 {
		for x := range 20 {
			places, colors = append(places, image.Pt(x, y)), append(colors, raster.RGB{uint8(40 + 3*x), uint8(200 - 5*y), 90})
		}
	}

	p := raster.FitPlane(places, colors)

	require.InDelta(t, 0, p.Off(image.Pt(30, 4), raster.RGB{130, 180, 90}), 1e-6)
	require.InDelta(t, 12, p.Off(image.Pt(5, 2), raster.RGB{55, 178, 90}), 1e-6)
	require.InDelta(t, 0, p.Off(image.Pt(100, 0), raster.RGB{255, 200, 90}), 1e-6, "levels end at 255")
	require.InDelta(t, 30, p.Slope(image.Rect(0, 0, 20, 10)), 1e-6)
}

func TestAPlaneThroughOneLineHasOneColor(t *testing.T) {
	t.Parallel()
	p := raster.FitPlane([]image.Point{{0, 0}, {10, 0}}, []raster.RGB{{10, 10, 10}, {30, 10, 10}})
	require.InDelta(t, 0, p.Off(image.Pt(50, 50), raster.RGB{20, 10, 10}), 1e-6)
	require.Zero(t, raster.FitPlane(nil, nil).Slope(image.Rect(0, 0, 9, 9)))
}
