package ocr

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestParseDictionary(t *testing.T) {
	t.Parallel()
	d, err := ParseDictionary("a\n\u3000\nb")
	require.NoError(t, err)
	require.Equal(t, Dictionary{"", "a", "\u3000", "b", " "}, d)
	_, err = ParseDictionary("")
	require.Error(t, err)

	d, err = ParseDictionaryFile([]byte("a\r\n\u3000\r\nb\r\n"))
	require.NoError(t, err)
	require.Equal(t, Dictionary{"", "a", "\u3000", "b", " "}, d)
	_, err = ParseDictionaryFile([]byte("\n"))
	require.Error(t, err)
}

func TestDecode(t *testing.T) {
	t.Parallel()
	d := Dictionary{"", "a", "b", " "}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		rows [][]float32
		text string
		prob float64
	}{
		"nothing":           {nil, "", 0},
		"blanks":            {[][]float32{{1, 0, 0, 0}, {1, 0, 0, 0}}, "", 0},
		"repeats are one":   {[][]float32{{0, 1, 0, 0}, {0, .8, 0, 0}, {0, 0, 1, 0}}, "ab", 1},
		"a blank parts two": {[][]float32{{0, 1, 0, 0}, {1, 0, 0, 0}, {0, .5, 0, 0}}, "aa", 0.75},
		"the last is space": {[][]float32{{0, 1, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}}, "a b", 1},
		"no numbers":        {[][]float32{{nan, nan, nan, nan}}, " ", 0},
		"a number counts":   {[][]float32{{nan, 0.5, nan, 0.1}}, "a", 0.5},
		"half a step":       {[][]float32{{0, 1, 0, 0}, {0, 0}}, "a", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var flat []float32
			for _, row := range c.rows {
				flat = append(flat, row...)
			}
			decoded := d.Decode(flat)
			require.Equal(t, c.text, decoded.Text)
			require.InDelta(t, c.prob, decoded.Prob, 1e-6)
		})
	}
}

func TestDoubtIsOfLetters(t *testing.T) {
	t.Parallel()
	d := Dictionary{"", "a", ".", "４", " "}
	for name, c := range map[string]struct {
		rows  [][]float32
		least float64
	}{
		"a blank and a dot are no letters": {[][]float32{{0, .75, 0, 0, 0}, {0, 0, 0, 0, .25}, {0, 0, .5, 0, 0}}, 0.75},
		"a digit is as good":               {[][]float32{{0, .75, 0, 0, 0}, {0, 0, 0, .5, 0}}, 0.5},
		"marks alone":                      {[][]float32{{0, 0, .75, 0, 0}, {0, 0, 0, 0, .25}}, 0.25},
		"nothing":                          {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.InDelta(t, c.least, d.Decode(slices.Concat(c.rows...)).Least, 1e-6)
		})
	}
}

func TestTheStepsOfTheFirstAndTheLastCharacter(t *testing.T) {
	t.Parallel()
	decoded := Dictionary{"", "a", "b", " "}.Decode([]float32{
		1, 0, 0, 0,
		0, 1, 0, 0,
		0, 1, 0, 0,
		1, 0, 0, 0,
		0, 0, 1, 0,
		0, 0, 1, 0,
	})
	require.Equal(t, 1, decoded.First)
	require.Equal(t, 4, decoded.Last)
}

func FuzzDecode(f *testing.F) {
	f.Add("a\nb", []byte{1, 0, 0, 0, 9, 9})
	f.Add("\u3000", []byte{255, 255, 255})
	f.Add("\n\n", []byte{})
	f.Fuzz(func(t *testing.T, metadata string, steps []byte) {
		d, err := ParseDictionary(metadata)
		if err != nil {
			return
		}
		require.Len(t, d, strings.Count(metadata, "\n")+3)
		row := make([]float32, len(steps))
		for i, b := range steps {
			row[i] = math.Float32frombits(uint32(b) << 24)
		}
		decoded := d.Decode(row)
		require.True(t, decoded.Prob >= 0 && decoded.Prob <= 1 && decoded.Least >= 0 && decoded.Least <= 1)
		if utf8.ValidString(metadata) {
			require.True(t, utf8.ValidString(decoded.Text))
		}
	})
}
