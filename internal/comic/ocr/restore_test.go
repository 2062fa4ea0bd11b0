package ocr

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A small kana of a column, which the model holds for blank, leaves the place of a character.
func TestALostCharacterIsPutBack(t *testing.T) {
	t.Parallel()
	d := Dictionary{"", "し", "ま", "た", "っ", "、", "a", " "}
	const blank = 0
	// line has a character at each third step.
	line := func(classes ...int) []float32 {
		var rows []float32
		for _, class := range classes {
			for _, c := range []int{class, blank, blank} {
				row := make([]float32, len(d))
				row[c] = 1
				rows = append(rows, row...)
			}
		}
		return rows
	}
	faint := func(rows []float32, character int, probabilities map[int]float32) []float32 {
		rows = slices.Clone(rows)
		row := rows[3*character*len(d) : (3*character+1)*len(d)]
		row[blank] = 0.9
		for c, p := range probabilities {
			row[c] = p
		}
		return rows
	}
	lacking := line(1, 2, blank, 3)
	for name, c := range map[string]struct {
		rows []float32
		text string
	}{
		"one is likely":         {faint(lacking, 2, map[int]float32{4: 0.01, 2: 0.001}), "しまった"},
		"none is likely":        {faint(lacking, 2, map[int]float32{4: 0.001}), "しまた"},
		"two are":               {faint(lacking, 2, map[int]float32{4: 0.1, 1: 0.05}), "しまた"},
		"what stands beside it": {faint(lacking, 2, map[int]float32{2: 0.2}), "しまた"},
		"a space":               {faint(lacking, 2, map[int]float32{7: 0.2}), "しまた"},
		"no place for another":  {faint(line(1, 2, 3), 1, map[int]float32{blank: 0, 2: 1, 4: 0.3}), "しまた"},
		"after a mark":          {faint(line(1, 5, blank, 3), 2, map[int]float32{4: 0.2}), "し、た"},
		"between Latin letters": {faint(line(1, 6, blank, 6), 2, map[int]float32{4: 0.2}), "しaa"},
		"too short to be told":  {faint(line(2, blank, 3), 1, map[int]float32{4: 0.2}), "また"},
		"another is not":        {faint(line(1, 2, blank, 3, 2, blank, 3), 2, map[int]float32{4: 0.1}), "しまったまた"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decoded := d.Decode(c.rows)
			require.Equal(t, c.text, decoded.Text)
			require.InDelta(t, 1, decoded.Prob, 1e-6)
		})
	}
}
