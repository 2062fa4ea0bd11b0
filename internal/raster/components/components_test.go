package components_test

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster/components"
)

func TestCornersConnectOnlyEight(t *testing.T) {
	t.Parallel()
	rows := []string{"##..#", "..#.#", "##.#.", "....."}
	in := func(x, y int) bool { return rows[y][x] == '#' }
	eight := components.Find(5, 4, components.Eight, in)
	require.Len(t, eight, 1, "a zigzag of corners")
	require.Equal(t, image.Rect(0, 0, 5, 3), eight[0].Bounds)
	require.Equal(t, 8, eight[0].Area)
	four := components.Find(5, 4, components.Four, in)
	require.Equal(t, []components.Component{
		{Runs: []components.Run{{0, 0, 2}}, Bounds: image.Rect(0, 0, 2, 1), Area: 2},
		{Runs: []components.Run{{0, 4, 5}, {1, 4, 5}}, Bounds: image.Rect(4, 0, 5, 2), Area: 2},
		{Runs: []components.Run{{1, 2, 3}}, Bounds: image.Rect(2, 1, 3, 2), Area: 1},
		{Runs: []components.Run{{2, 0, 2}}, Bounds: image.Rect(0, 2, 2, 3), Area: 2},
		{Runs: []components.Run{{2, 3, 4}}, Bounds: image.Rect(3, 2, 4, 3), Area: 1},
	}, four)
	require.Empty(t, components.Find(0, 0, components.Eight, in))
}

// The components must be those of a plain flood fill, in the order of their first pixels.
func TestFindEqualsFloodFill(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range []components.Connectivity{components.Four, components.Eight} {
		for range 200 {
			w, h := 1+rng.IntN(20), 1+rng.IntN(20)
			set := make([]bool, w*h)
			for i := range set {
				set[i] = rng.IntN(5) < 2
			}
			found := components.Find(w, h, c, func(x, y int) bool { return set[y*w+x] })
			require.Equal(t, flood(set, w, h, c), pixels(found, w))
		}
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

func flood(set []bool, w, h int, c components.Connectivity) []map[int]bool {
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
				if c == components.Eight || dx == 0 || dy == 0 {
					visit(x+dx, y+dy, into)
				}
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
