package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// line returns a recognized line with this box.
func lineIn(text string, at box) found { return found{Box: at, Text: text} }

func TestScore(t *testing.T) {
	t.Parallel()
	blocks := func() []block {
		return []block{
			{Box: box{0, 0, 200, 60}, Lines: []string{"Where are", "you going?"}},
			{Box: box{0, 200, 100, 230}, Lines: []string{"Home…"}},
		}
	}
	for name, c := range map[string]struct {
		lines        []found
		exact        int
		errors       float64
		found, wrong int
	}{
		"as it stands":   {[]found{lineIn("WHERE ARE", box{10, 0, 190, 30}), lineIn("you going?", box{10, 30, 190, 60}), lineIn("Home…", box{0, 200, 100, 230})}, 2, 0, 2, 0},
		"in any order":   {[]found{lineIn("you going?", box{10, 30, 190, 60}), lineIn("where are", box{10, 0, 190, 30}), lineIn("home…", box{0, 200, 100, 230})}, 2, 0, 2, 0},
		"a sign is lost": {[]found{lineIn("Where are you going", box{0, 0, 200, 60}), lineIn("Home", box{0, 200, 100, 230})}, 2, 4, 2, 0},
		"a letter":       {[]found{lineIn("Where are you goinq?", box{0, 0, 200, 60}), lineIn("Home…", box{0, 200, 100, 230})}, 1, 1, 2, 0},
		"one is missing": {[]found{lineIn("Where are you going?", box{0, 0, 200, 60})}, 1, 7, 1, 0},
		"art is read":    {[]found{lineIn("Where are you going?", box{0, 0, 200, 60}), lineIn("Home…", box{0, 200, 100, 230}), lineIn("M", box{400, 400, 420, 420})}, 2, 0, 2, 1},
		"one through both": {[]found{
			lineIn("Where are you going? Home…", box{0, 0, 200, 230}),
		}, 2, 0, 2, 0},
	} {
		results, wrong := score(blocks(), c.lines)
		require.Len(t, results, 2, name)
		require.Len(t, wrong, c.wrong, name)
		exact, isFound, errors := 0, 0, 0.0
		for _, r := range results {
			errors += r.errors
			exact, isFound = exact+int(one(r.exact)), isFound+int(one(r.found))
		}
		require.Equal(t, c.exact, exact, name)
		require.Equal(t, c.found, isFound, name)
		require.InDelta(t, c.errors, errors, 1e-9, name)
	}
}

func TestSoundsAndListsOfCreditsAreNoDialogue(t *testing.T) {
	t.Parallel()
	long := make([]byte, longestText+1)
	for i := range long {
		long[i] = 'a'
	}
	blocks := []block{
		{Box: box{0, 0, 10, 10}, Lines: []string{"!?"}}, {Box: box{0, 20, 10, 30}, Lines: []string{"Bam"}},
		{Box: box{0, 40, 10, 50}, Lines: []string{"bam"}}, {Box: box{0, 60, 10, 70}, Lines: []string{"BAM"}},
		{Box: box{0, 80, 10, 90}, Lines: []string{"Bam"}}, {Box: box{0, 100, 10, 110}, Lines: []string{"Bang"}},
		{Box: box{500, 0, 900, 900}, Lines: []string{string(long)}}, {Box: box{600, 100, 700, 120}, Lines: []string{"Thanks"}},
	}
	classify(blocks)
	var kinds []kind
	for _, b := range blocks {
		kinds = append(kinds, b.kind)
	}
	require.Equal(t, []kind{sound, sound, sound, sound, sound, dialogue, ignored, ignored}, kinds)
}

func TestDrawnPagesAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	first, err := drawnPages("../../build/assets/fonts", 0, 2)
	require.NoError(t, err)
	second, err := drawnPages("../../build/assets/fonts", 1, 1)
	require.NoError(t, err)
	require.Len(t, first, 4)
	require.Equal(t, []truePage{first[1], first[3]}, second)
	require.NotEqual(t, first[0].Image, first[1].Image)
	for _, p := range first {
		require.GreaterOrEqual(t, len(p.Blocks), 6, p.Book)
	}
}
