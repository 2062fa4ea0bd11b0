package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
)

// column is a region of vertical lines of a text each, 10 pixels wide and 10 a character, from right to left.
func column(index int, texts ...string) comic.Region {
	r := comic.Region{Index: index, Text: comic.JoinTexts(texts), Texts: texts, Direction: comic.Vertical, FontSize: 10}
	for i, t := range texts {
		x, y := float64(100-10*i), float64(10*len([]rune(t)))
		r.Lines = append(r.Lines, raster.Quad{{x, 0}, {x + 10, 0}, {x + 10, y}, {x, y}})
	}
	return r
}

func TestARegionIsDividedWhereItsTextIs(t *testing.T) {
	t.Parallel()
	r := column(0, "あいうえ", "かき")
	for at, want := range map[int][2][]string{
		4: {{"あいうえ"}, {"かき"}}, 5: {{"あいうえ", "か"}, {"き"}}, 1: {{"あ"}, {"いうえ", "かき"}},
	} {
		first, second := r.Divide(at)
		require.Equal(t, want, [2][]string{first.Texts, second.Texts}, "%d", at)
		require.Equal(t, r.Text, first.Text+second.Text)
	}
	first, second := r.Divide(1)
	require.Equal(t, []raster.Quad{{{100, 0}, {110, 0}, {110, 10}, {100, 10}}}, first.Lines)
	require.Equal(t, raster.Quad{{100, 10}, {110, 10}, {110, 40}, {100, 40}}, second.Lines[0])

	row := comic.Region{Text: "one two", Texts: []string{"one two"}, Lines: []raster.Quad{{{0, 0}, {60, 0}, {60, 9}, {0, 9}}}}
	first, second = row.Divide(4)
	require.Equal(t, []any{"one", "two", 30.0, 30.0}, []any{first.Text, second.Text, first.Lines[0][1][0], second.Lines[0][0][0]})
}

func TestRegionsAreJoinedInTheirOrder(t *testing.T) {
	t.Parallel()
	own := []comic.Region{column(0, "あい"), column(1, "うえ"), column(2, "お"), column(3, "か")}
	own[1].Override.JoinedInto, own[2].Override.JoinedInto = new(0), new(1)
	own[2].Override.Place = 1.5 // before 1
	arranged, err := comic.Arrange(own)
	require.NoError(t, err)
	require.Equal(t, "あいおうえ", arranged[0].Text)
	require.Len(t, arranged[0].Lines, 3)
	require.Equal(t, own[3], arranged[3])
	require.True(t, arranged[1].Absent())
	require.False(t, arranged[0].Absent())

	for name, into := range map[string]int{"none": 7, "itself": 0} {
		own[0].Override.JoinedInto = &into
		_, err := comic.Arrange(own)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), name)
	}
}

func TestASplitIsOfAPartOrBetweenParts(t *testing.T) {
	t.Parallel()
	own := []comic.Region{column(0, "あい"), column(1, "うえ"), column(2, "おか")}
	own[1].Override.JoinedInto, own[2].Override.JoinedInto = new(0), new(0)
	for at, want := range map[int]comic.Split{
		1: {Part: 0, At: 1, After: []int{1, 2}}, 2: {Part: 1, After: []int{2}}, 3: {Part: 1, At: 1, After: []int{2}}, 5: {Part: 2, At: 1},
	} {
		got, err := comic.SplitOf(own, 0, at)
		require.NoError(t, err)
		require.Equal(t, want, got, "%d", at)
	}
	for _, at := range []int{0, 6, 9} {
		_, err := comic.SplitOf(own, 0, at)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), "%d", at)
	}
}

func TestATextBreaksBetweenWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{3, 7, 2, 3}, []int{
		comic.BreakNear("one two three", 0.3), comic.BreakNear("one two three", 0.6), comic.BreakNear("あいうえ", 0.5), comic.BreakNear("one", 0.5),
	})
}
