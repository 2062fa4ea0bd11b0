package integral_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster/integral"
)

func TestIn(t *testing.T) {
	t.Parallel()
	const width, height = 4, 3
	table := integral.New(width, height, func(i int) int32 { return int32(i*i%7) - 2 })
	for x0 := -1; x0 <= width+1; x0++ {
		for y0 := -1; y0 <= height+1; y0++ {
			for x1 := x0; x1 <= width+1; x1++ {
				for y1 := y0; y1 <= height+1; y1++ {
					want := int32(0)
					for y := max(y0, 0); y < min(y1, height); y++ {
						for x := max(x0, 0); x < min(x1, width); x++ {
							i := y*width + x
							want += int32(i*i%7) - 2
						}
					}
					require.Equal(t, want, table.In(image.Rect(x0, y0, x1, y1)), "%d,%d to %d,%d", x0, y0, x1, y1)
				}
			}
		}
	}
	require.Zero(t, integral.New(0, 0, nil).In(image.Rect(-1, -1, 1, 1)), "no picture")
}
