package documenttasks_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	documenttasks "plait/tasks/document"
)

func TestPagesAreChosen(t *testing.T) {
	for _, c := range []struct {
		list string
		want []int
	}{{"", []int{0, 1, 2, 3}}, {"1-", []int{0, 1, 2, 3}}, {"2", []int{1}}, {" 3 - 4 , 1", []int{0, 2, 3}}, {"2-3,3-4,2", []int{1, 2, 3}}} {
		got, err := documenttasks.ParsePages(c.list, 4)
		require.NoError(t, err, c.list)
		require.Equal(t, c.want, got, c.list)
	}
	for _, list := range []string{"0", "5", "2-1", "1-5", "x", ",", "-1", "1--2", "1 2", "99999999999999999999"} {
		_, err := documenttasks.ParsePages(list, 4)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), list)
	}
}

func FuzzParsePages(f *testing.F) {
	for _, seed := range []string{"", "1-3,7,12-", "2-1", "-", "1-,1-,1-", "٣"} {
		f.Add(seed, 12)
	}
	f.Fuzz(func(t *testing.T, list string, total int) {
		total = max(total%1000, 1)
		pages, err := documenttasks.ParsePages(list, total)
		if err != nil {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err))
			return
		}
		require.NotEmpty(t, pages)
		require.True(t, slices.IsSorted(pages))
		require.Len(t, slices.Compact(slices.Clone(pages)), len(pages))
		require.GreaterOrEqual(t, pages[0], 0)
		require.Less(t, pages[len(pages)-1], total)
	})
}
