package regions

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

// bubbles is a gray page with white discs, flattened: x, y and radius of each.
func bubbles(discs ...[3]int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 600, 400))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{120}), image.Point{}, draw.Src)
	for y := range 400 {
		for x := range 600 {
			for _, d := range discs {
				dx, dy := x-d[0], 2*(y-d[1])
				if dx*dx+dy*dy < d[2]*d[2] {
					img.Set(x, y, color.White)
				}
			}
		}
	}
	return img
}

func linesAt(boxes ...[4]float64) []Line {
	var lines []Line
	for _, b := range boxes {
		lines = append(lines, Line{
			Quad: raster.Quad{{b[0], b[1]}, {b[2], b[1]}, {b[2], b[3]}, {b[0], b[3]}}, Text: "words", Prob: 1,
		})
	}
	return lines
}

func TestBubblesThatRunIntoEachOtherAreParted(t *testing.T) {
	t.Parallel()
	two := linesAt([4]float64{150, 110, 290, 135}, [4]float64{160, 137, 280, 162}, [4]float64{240, 182, 380, 207}, [4]float64{250, 209, 370, 234})
	require.Len(t, conjoined(bubbles([3]int{220, 135, 140}, [3]int{310, 210, 140}), two), 2, "two bubbles, each with its lines centered")
	require.Len(t, conjoined(bubbles([3]int{265, 170, 260}), two), 1, "one bubble with its lines set as in two")
	left := linesAt([4]float64{150, 110, 190, 135}, [4]float64{150, 137, 190, 162}, [4]float64{150, 164, 380, 189}, [4]float64{150, 191, 380, 216})
	require.Len(t, conjoined(bubbles([3]int{265, 170, 260}), left), 1, "lines that begin at one edge")
	slanted := linesAt([4]float64{100, 110, 200, 135}, [4]float64{130, 137, 230, 162}, [4]float64{160, 164, 260, 189}, [4]float64{190, 191, 290, 216})
	require.Len(t, conjoined(bubbles([3]int{160, 130, 140}, [3]int{230, 200, 140}), slanted), 1, "middles that move from line to line")
}
