package regions

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

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
	require.Len(t, conjoined(two, frameOf(two)), 2, "two bubbles, each with its lines centered")
	left := linesAt([4]float64{150, 110, 190, 135}, [4]float64{150, 137, 190, 162}, [4]float64{150, 164, 380, 189}, [4]float64{150, 191, 380, 216})
	require.Len(t, conjoined(left, frameOf(left)), 1, "lines that begin at one edge")
	slanted := linesAt([4]float64{100, 110, 200, 135}, [4]float64{130, 137, 230, 162}, [4]float64{160, 164, 260, 189}, [4]float64{190, 191, 290, 216})
	require.Len(t, conjoined(slanted, frameOf(slanted)), 1, "middles that move from line to line")
}
