package main

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/letter"
)

func TestCompareBreaks(t *testing.T) {
	t.Parallel()
	made := &letteredPage{
		flat: map[int]bool{0: true, 1: true, 2: true, 3: true},
		human: map[int][]block{
			0: {{Box: box{0, 0, 100, 20}, Lines: []string{"One of", "two"}}, {Box: box{0, 30, 100, 50}, Lines: []string{"blocks", "..."}}},
			1: {{Box: box{0, 0, 100, 60}, Lines: []string{"Lines that are not known"}}},
			2: {{Box: box{0, 0, 50, 20}, Lines: []string{"another", "text"}}},
		},
		report: letter.Report{Regions: []letter.Lettered{
			{Index: 0, Cap: 10, Box: image.Rect(0, 0, 80, 60), Lines: []string{"ONE", "OF TWO", "BLOCKS…"}},
			{Index: 1, Cap: 10, Box: image.Rect(0, 0, 110, 30), Lines: []string{"Lines that", "are not known"}},
			{Index: 2, Cap: 10, Box: image.Rect(0, 0, 80, 60), Lines: []string{"text"}},
			{Index: 3, Cap: 10, Box: image.Rect(0, 0, 80, 60), Lines: []string{"of no block"}},
		}},
	}
	var tally letterTally
	made.compareBreaks(&tally)
	f := tally.figures()
	require.InDelta(t, 0.5, f.Breaks, 1e-9) // that before "blocks", of two breaks on either side
	require.InDelta(t, 0.95, f.Width, 1e-9) // the mean of 0.8 and 1.1
	require.InDelta(t, 0.85, f.Height, 1e-9)
}
