package lineseg_test

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/lineseg"
)

func TestCharactersOfAColumn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows [][3]int
		want int
	}{
		"three":         {grid(3, 1, 0, 33), 3},
		"seven":         {grid(7, 1, 0, 32), 7},
		"spaced widely": {grid(4, 1, 0, 38), 4},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bottom := float64(c.rows[len(c.rows)-1][1] + 36)
			found := lineseg.Characters(page(c.rows...), quad(94, 94, 136, bottom))
			require.Len(t, found, c.want)
			for i, q := range found {
				x0, y0, x1, y1 := q.Bounds()
				require.LessOrEqual(t, y0, float64(c.rows[i][1]))
				require.GreaterOrEqual(t, y1, float64(c.rows[i][1]+c.rows[i][2]))
				require.Less(t, y1-y0, 45.0)
				require.Less(t, x0, 100.0)
				require.Greater(t, x1, 130.0)
			}
		})
	}
}

func TestNoCharactersWhereNoneAreTold(t *testing.T) {
	t.Parallel()
	require.Empty(t, lineseg.Characters(page(), quad(94, 94, 136, 200)), "no ink")
	require.Empty(t, lineseg.Characters(page(), quad(-90, -90, -36, -20)), "beyond the page")
	require.Empty(t, lineseg.Characters(page([3]int{100, 100, 30}), quad(94, 94, 136, 136)), "one character")
	require.Empty(t, lineseg.Characters(striped(page()), quad(94, 94, 136, 236)), "no flat ground")
}

// striped makes stripes of three grays of a page, which has no ground.
func striped(img *image.NRGBA) *image.NRGBA {
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			i := img.PixOffset(x, y)
			for k := range 3 {
				img.Pix[i+k] = uint8(x % 3 * 127)
			}
		}
	}
	return img
}
