package detect

import (
	"image"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestLinesArePartedAtWideBlanks(t *testing.T) {
	t.Parallel()
	const size, pitch = 20, 24
	for name, c := range map[string]struct {
		// glyphs are the places of the glyphs, in pitches.
		glyphs []float64
		want   [][2]float64
	}{
		"one line":             {[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, [][2]float64{{-5, 10*pitch + 1}}},
		"two bubbles":          {[]float64{0, 1, 2, 3, 4, 5.8, 6.8, 7.8, 8.8, 9.8}, [][2]float64{{-5, 5 * pitch}, {5.8*pitch - 4, 10.8*pitch + 1}}},
		"a full stop":          {[]float64{0, 1, 2, 3, 4, 5.4, 6.4, 7.4, 8.4, 9.4}, [][2]float64{{-5, 10.4*pitch + 1}}},
		"an ellipsis far away": {[]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 10}, [][2]float64{{-5, 11*pitch + 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows := image.NewNRGBA(image.Rect(0, 0, 400, 400))
			draw.Draw(rows, rows.Rect, image.White, image.Point{}, draw.Src)
			columns := image.NewNRGBA(rows.Rect)
			draw.Draw(columns, columns.Rect, image.White, image.Point{}, draw.Src)
			last := 0
			for _, g := range c.glyphs {
				at := 50 + int(g*pitch)
				for i := range 3 { // strokes, so that more is paper than ink
					fillBox(rows, at+8*i, 100, at+8*i+4, 100+size)
					fillBox(columns, 100, at+8*i, 100+size, at+8*i+4)
				}
				last = at + pitch + 1
			}
			row := divided(rows, []Line{{Quad: boxQuad(45, 95, float64(last), 125), Score: 0.9}})
			column := divided(columns, []Line{{Quad: boxQuad(95, 45, 125, float64(last)), Score: 0.9}})
			require.Len(t, row, len(c.want))
			require.Len(t, column, len(c.want))
			for i, w := range c.want {
				check := func(q raster.Quad, along int) {
					require.InDelta(t, 50+w[0], q[0][along], 4)
					require.InDelta(t, 50+w[1], q[2][along], 4)
					require.InDelta(t, 95, q[0][1-along], 0.01)
					require.InDelta(t, 125, q[2][1-along], 0.01)
				}
				check(row[i].Quad, 0)
				check(column[i].Quad, 1)
			}
		})
	}
}
