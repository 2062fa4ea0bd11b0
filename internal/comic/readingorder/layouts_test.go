package readingorder_test

import (
	"image"
	"image/color"
	"image/draw"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/raster"
)

// letterSide is the side of a letter of a drawn layout, in pixels.
const letterSide = 50

// drawLayout draws the page of a layout, and returns its bubbles by letter.
func drawLayout(rows []string) (*image.NRGBA, map[rune]image.Rectangle) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	img := image.NewNRGBA(image.Rect(0, 0, width*letterSide, (len(rows)+1)*letterSide))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	bubbles := make(map[rune]image.Rectangle)
	for y, row := range rows {
		for x, c := range row {
			cell := image.Rect(x, y, x+1, y+1)
			cell.Min, cell.Max = cell.Min.Mul(letterSide), cell.Max.Mul(letterSide)
			if c == ' ' {
				continue
			}
			draw.Draw(img, cell, image.NewUniform(color.Gray{150}), image.Point{}, draw.Src)
			if c != '.' {
				bubbles[c] = bubbles[c].Union(cell)
			}
		}
	}
	return img, bubbles
}

func TestLayoutsAreReadAsAPersonReads(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("testdata/layouts.txt")
	require.NoError(t, err)
	pages := strings.Split(string(golden), "\n= ")[1:]
	require.Len(t, pages, 23)
	for _, page := range pages {
		title, drawing, _ := strings.Cut(page, "\n")
		name, language, _ := strings.Cut(title, ": ")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			img, bubbles := drawLayout(strings.Split(strings.Trim(drawing, "\n"), "\n"))
			var regions []comic.Region
			var letters []rune
			for c, b := range bubbles {
				letters = append(letters, c)
				x0, y0, x1, y1 := float64(b.Min.X), float64(b.Min.Y), float64(b.Max.X), float64(b.Max.Y)
				regions = append(regions, comic.Region{Text: string(c), Lines: []raster.Quad{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}})
			}
			slices.Sort(letters)
			var got strings.Builder
			for i, r := range sorted(img, regions, language) {
				require.Equal(t, i, r.Index)
				got.WriteString(r.Text)
			}
			require.Equal(t, string(letters), got.String())
		})
	}
}
