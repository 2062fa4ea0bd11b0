package unionfind_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/raster/unionfind"
)

func TestGroupsDoNotDependOnTheOrderOfUnions(t *testing.T) {
	t.Parallel()
	for name, unions := range map[string][][2]int{
		"ascending":  {{1, 3}, {3, 4}, {2, 5}},
		"descending": {{5, 2}, {4, 3}, {3, 1}},
		"repeated":   {{4, 1}, {1, 3}, {3, 4}, {5, 2}, {2, 5}},
	} {
		s := unionfind.New(7)
		for _, u := range unions {
			s.Union(u[0], u[1])
		}
		require.Equal(t, [][]int{{0}, {1, 3, 4}, {2, 5}, {6}}, s.Groups(), name)
		require.Equal(t, 1, s.Find(4), name)
	}
	require.Empty(t, unionfind.New(0).Groups())
}

func TestUnionTellsWhetherSetsWereApart(t *testing.T) {
	t.Parallel()
	s := unionfind.New(3)
	require.True(t, s.Union(2, 1))
	require.False(t, s.Union(1, 2))
	require.True(t, s.Union(2, 0))
}
