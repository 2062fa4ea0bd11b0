package raster_test

import (
	"image"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestMomentsAreThoseOfARectangle(t *testing.T) {
	t.Parallel()
	const middleX, middleY, long, across = 400.0, 700.0, 120.0, 30.0
	for _, degrees := range []float64{-75, -30, 0, 30, 75, 90} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		var m raster.Moments
		for y := range 1000 {
			for x := range 1000 {
				dx, dy := float64(x)-middleX, float64(y)-middleY
				if math.Abs(dx*cos+dy*sin) <= long/2 && math.Abs(dy*cos-dx*sin) <= across/2 {
					m.Add(image.Pt(x, y))
				}
			}
		}
		middle, along, l, a := m.Rectangle()
		require.InDelta(t, middleX, middle[0], 0.5, "%v degrees", degrees)
		require.InDelta(t, middleY, middle[1], 0.5, "%v degrees", degrees)
		require.InDelta(t, 0, math.Remainder(along-degrees*math.Pi/180, math.Pi), 0.02, "%v degrees", degrees)
		require.InDelta(t, long, l, 1.5, "%v degrees", degrees)
		require.InDelta(t, across, a, 1.5, "%v degrees", degrees)
	}
}
