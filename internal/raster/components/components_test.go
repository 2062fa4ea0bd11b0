package components_test

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster/components"
)

func TestCornersConnect(t *testing.T) {
	t.Parallel()
	rows := []string{"##..#", "..#.#", "##.#.", "....."}
	in := func(x, y int) bool { return rows[y][x] == '#' }
	found := components.Find(5, 4, in)
	require.Len(t, found, 1, "a zigzag of corners")
	require.Equal(t, image.Rect(0, 0, 5, 3), found[0].Bounds)
	require.Equal(t, 8, found[0].Area)
	require.Equal(t, []components.Run{{0, 0, 2}, {0, 4, 5}, {1, 2, 3}, {1, 4, 5}, {2, 0, 2}, {2, 3, 4}}, found[0].Runs)
	require.Empty(t, components.Find(0, 0, in))
}

// The components must be those of a plain flood fill, in the order of their first pixels.
func TestFindEqualsFloodFill(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		w, h := 1+rng.IntN(20), 1+rng.IntN(20)
		set := make([]bool, w*h)
		for i := range set {
			set[i] = rng.IntN(5) < 2
		}
		found := components.Find(w, h, func(x, y int) bool { return set[y*w+x] })
		require.Equal(t, flood(set, w, h), pixels(found, w))
	}
}

func pixels(found []components.Component, w int) []map[int]bool {
	var all []map[int]bool
	for _, f := range found {
		one := map[int]bool{}
		for _, r := range f.Runs {
			for x := r.X0; x < r.X1; x++ {
				one[r.Y*w+x] = true
			}
		}
		all = append(all, one)
	}
	return all
}

func flood(set []bool, w, h int) []map[int]bool {
	var all []map[int]bool
	seen := make([]bool, len(set))
	var visit func(x, y int, into map[int]bool)
	visit = func(x, y int, into map[int]bool) {
		if x < 0 || y < 0 || x >= w || y >= h || !set[y*w+x] || seen[y*w+x] {
			return
		}
		seen[y*w+x], into[y*w+x] = true, true
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				visit(x+dx, y+dy, into)
			}
		}
	}
	for i := range set {
		if set[i] && !seen[i] {
			one := map[int]bool{}
			visit(i%w, i/w, one)
			all = append(all, one)
		}
	}
	return all
}
