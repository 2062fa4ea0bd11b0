package lineseg_test

import (
	"image"
	"image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/lineseg"
	"plait/internal/raster"
)

// bubble draws the outline of a bubble.
func bubble(img *image.NRGBA, r image.Rectangle) {
	inner := image.NewNRGBA(r.Inset(3))
	draw.Draw(inner, inner.Rect, img, inner.Rect.Min, draw.Src)
	draw.Draw(img, r, image.Black, image.Point{}, draw.Src)
	draw.Draw(img, inner.Rect, inner, inner.Rect.Min, draw.Src)
}

func TestOverlookedLinesAreToldByTheirInk(t *testing.T) {
	t.Parallel()
	columns := grid(4, 3, 50, 33)
	column := func(n float64) raster.Quad { return quad(94+50*n, 94, 136+50*n, 235) }
	ruby := [][3]int{{182, 100, 12}, {182, 116, 12}}
	for name, c := range map[string]struct {
		page  *image.NRGBA
		lines []raster.Quad
		want  []raster.Quad
		rows  bool
	}{
		"a column between two":               {page(columns...), []raster.Quad{column(0), column(2)}, []raster.Quad{column(1)}, false},
		"columns beside one":                 {page(columns...), []raster.Quad{column(0)}, []raster.Quad{column(1)}, false},
		"not furigana":                       {page(append(ruby, columns...)...), []raster.Quad{column(0), column(1), column(2)}, nil, false},
		"a column with its furigana beside":  {page(append(ruby, columns...)...), []raster.Quad{column(0), column(2)}, []raster.Quad{column(1)}, false},
		"a row below one":                    {page(grid(2, 4, 33, 50)...), []raster.Quad{quad(94, 94, 236, 136)}, []raster.Quad{quad(94, 144, 235, 186)}, true},
		"nothing where all lines were found": {page(columns...), []raster.Quad{column(0), column(1), column(2)}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(c.page, image.Rect(70, 70, 280, 280))
			columns, rows := lineseg.Overlooked(c.page, c.lines, told(len(c.lines), true), nil)
			if c.rows {
				columns, rows = rows, columns
			}
			require.Equal(t, c.want, columns)
			require.Empty(t, rows)
		})
	}
}

func TestADoubtfulLineIsFoundAgainByItsInk(t *testing.T) {
	t.Parallel()
	lines := []raster.Quad{quad(94, 94, 136, 235), quad(130, 90, 200, 160)}
	columns, _ := lineseg.Overlooked(page(grid(4, 2, 50, 33)...), lines, []bool{true, false}, nil)
	require.Equal(t, []raster.Quad{quad(144, 94, 186, 235)}, columns)
}

func told(n int, surely bool) []bool {
	all := make([]bool, n)
	for i := range all {
		all[i] = surely
	}
	return all
}

func TestNothingIsOverlookedWhereInkTellsNone(t *testing.T) {
	t.Parallel()
	lines := []raster.Quad{quad(94, 94, 136, 236)}
	columns := page(grid(4, 3, 50, 33)...)
	requireNone(t, columns, lines, false, "beside what is no text")
	requireNone(t, columns, nil, true, "beside nothing")

	second := []raster.Quad{quad(140, 90, 190, 240)}
	found, _ := lineseg.Overlooked(columns, lines, told(1, true), second)
	require.Empty(t, found, "what was tried")

	bubble(columns, image.Rect(70, 70, 138, 280))
	requireNone(t, columns, lines, true, "beyond the outline of the bubble")

	dots := grid(4, 1, 50, 33)
	for x := 150; x < 390; x += 8 {
		for y := 10; y < 390; y += 8 {
			dots = append(dots, [3]int{x, y, 5})
		}
	}
	requireNone(t, page(dots...), lines, true, "dots of tone")
}

func requireNone(t *testing.T, img *image.NRGBA, lines []raster.Quad, surely bool, why string) {
	t.Helper()
	columns, rows := lineseg.Overlooked(img, lines, told(len(lines), surely), nil)
	require.Empty(t, columns, why)
	require.Empty(t, rows, why)
}
