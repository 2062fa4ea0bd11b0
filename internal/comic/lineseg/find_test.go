package lineseg_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/lineseg"
	"plait/internal/raster"
)

// page is a white page with hollow squares for characters: each is x, y and side.
func page(characters ...[3]int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 400, 400))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	for _, c := range characters {
		square := image.Rect(c[0], c[1], c[0]+c[2], c[1]+c[2])
		draw.Draw(img, square, image.Black, image.Point{}, draw.Src)
		draw.Draw(img, square.Inset(4), image.White, image.Point{}, draw.Src)
	}
	return img
}

// grid is characters of side 30 in so many rows and columns, at a pitch.
func grid(rows, columns, pitchX, pitchY int) [][3]int {
	var all [][3]int
	for r := range rows {
		for c := range columns {
			all = append(all, [3]int{100 + c*pitchX, 100 + r*pitchY, 30})
		}
	}
	return all
}

func quad(x0, y0, x1, y1 float64) raster.Quad {
	return raster.Quad{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
}

// crossed are a row and a column of the same characters, as a detector in doubt gives them.
var crossed = []raster.Quad{quad(92, 92, 240, 138), quad(92, 95, 138, 240)}

func TestLinesThatCrossAreFoundAgain(t *testing.T) {
	t.Parallel()
	ruby := func(x, y int) [3]int { return [3]int{x, y, 12} }
	for name, c := range map[string]struct {
		characters [][3]int
		vertical   bool
		lines      int
	}{
		"rows":                  {grid(3, 4, 33, 45), false, 3},
		"columns":               {grid(4, 3, 45, 33), true, 3},
		"columns with furigana": {append(grid(4, 3, 50, 33), ruby(134, 104), ruby(134, 118), ruby(184, 110), ruby(184, 124)), true, 5},
		"rows with furigana":    {append(grid(3, 4, 33, 50), ruby(104, 134), ruby(118, 134)), false, 4},
		"fewer rows than columns, set as wide as high": {grid(2, 4, 36, 36), false, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := lineseg.Find(page(c.characters...), crossed)
			require.Len(t, found, 1)
			require.Equal(t, []int{0, 1}, found[0].Members)
			require.Len(t, found[0].Lines, c.lines)
			for _, q := range found[0].Lines {
				x0, y0, x1, y1 := q.Bounds()
				require.Equal(t, c.vertical, y1-y0 > x1-x0)
			}
			if c.vertical { // read from the right
				first, _, _, _ := found[0].Lines[0].Bounds()
				last, _, _, _ := found[0].Lines[c.lines-1].Bounds()
				require.Greater(t, first, last)
			}
		})
	}
}

func TestLinesAcrossThoseOfTheInkAreFoundAgain(t *testing.T) {
	t.Parallel()
	rows := []raster.Quad{quad(92, 96, 240, 134), quad(92, 129, 240, 167), quad(92, 162, 240, 200), quad(92, 195, 240, 233)}
	characters := []raster.Quad{quad(94, 96, 136, 134), quad(144, 96, 186, 134), quad(94, 129, 136, 167), quad(144, 129, 186, 167)}
	wide := page(grid(4, 3, 50, 33)...)
	for name, c := range map[string]struct {
		page     *image.NRGBA
		detected []raster.Quad
		columns  int
	}{
		"columns set wide, taken for rows":              {wide, rows, 3},
		"columns set wide, taken for single characters": {page(grid(2, 2, 50, 33)...), characters, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := lineseg.Find(c.page, c.detected)
			require.Len(t, found, 1)
			require.True(t, found[0].Across)
			require.True(t, found[0].Against)
			require.Len(t, found[0].Lines, c.columns)
			for _, q := range found[0].Lines {
				x0, y0, x1, y1 := q.Bounds()
				require.Greater(t, y1-y0, x1-x0)
			}
		})
	}
	require.Empty(t, lineseg.Find(page(grid(4, 4, 36, 36)...), rows), "set as wide as high")
	require.Empty(t, lineseg.Find(page(grid(4, 3, 33, 50)...), rows), "rows")
	require.Empty(t, lineseg.Find(wide, []raster.Quad{quad(94, 94, 136, 235), quad(144, 94, 186, 235)}), "columns")
}

func TestLinesOfBothDirectionsLieAcrossInPart(t *testing.T) {
	t.Parallel()
	found := lineseg.Find(page(grid(4, 3, 45, 33)...), crossed)
	require.Len(t, found, 1)
	require.True(t, found[0].Across)
	require.False(t, found[0].Against)
}

func TestLinesThatInkDoesNotTellStay(t *testing.T) {
	t.Parallel()
	rows := page(grid(3, 4, 33, 45)...)
	require.Empty(t, lineseg.Find(rows, []raster.Quad{quad(92, 92, 240, 138), quad(92, 138, 240, 182)}), "lines that do not cross")
	require.Empty(t, lineseg.Find(rows, nil))

	art := page(grid(3, 4, 33, 45)...)
	for y := 80; y < 280; y += 9 {
		draw.Draw(art, image.Rect(0, y, 400, y+3), image.Black, image.Point{}, draw.Src)
	}
	require.Empty(t, lineseg.Find(art, crossed), "art runs through")

	colored := page()
	for x := range 400 {
		for y := range 400 {
			colored.Set(x, y, color.NRGBA{uint8(x * 13), uint8(y * 7), uint8(x * y), 255})
		}
	}
	require.Empty(t, lineseg.Find(colored, crossed), "no ground")
	require.Empty(t, lineseg.Find(page(), crossed), "no ink")
	require.Empty(t, lineseg.Find(rows, []raster.Quad{quad(-50, -50, 20, 20), quad(-50, -50, 20, 30)}), "at the corner")
}
