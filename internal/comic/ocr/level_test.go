package ocr_test

import (
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster"
)

func TestAColumnIsReadByItsCharacters(t *testing.T) {
	t.Parallel()
	const text = "ここにいる！"
	p := newPage(100, 300, color.White, color.Black)
	p.write(t, "font-noto-sans-jp-medium", text, 30, 30, 30, true)
	var characters []raster.Quad
	for i := range []rune(text) {
		y := float64(30 + 30*i)
		characters = append(characters, raster.Quad{{30, y}, {60, y}, {60, y + 30}, {30, y + 30}})
	}
	r := newRecognizer(t, 1)
	read, err := r.ReadLevel(t.Context(), p.NRGBA, characters)
	require.NoError(t, err)
	require.Equal(t, strings.ReplaceAll(text, "！", "!"), read.Text)
	require.True(t, read.Vertical)
	require.Greater(t, read.Prob, 0.9)

	columns, err := r.ReadColumns(t.Context(), p.NRGBA, []raster.Quad{{{25, 25}, {65, 25}, {65, 65}, {25, 65}}})
	require.NoError(t, err)
	require.True(t, columns[0].Vertical, "however short")

	none, err := r.ReadLevel(t.Context(), p.NRGBA, nil)
	require.NoError(t, err)
	require.Empty(t, none.Text)
}
