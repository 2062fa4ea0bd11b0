package detect

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALookAtTheWholePageCompletesItsLines(t *testing.T) {
	t.Parallel()
	const coarse = 0.5
	line := func(x0, y0, x1, y1, score float64) Line { return Line{Quad: boxQuad(x0, y0, x1, y1), Score: score} }
	dialogue := line(600, 600, 800, 630, 0.9)
	large := line(100, 100, 400, 200, 0.8)
	for name, c := range map[string]struct{ lines, whole, want []Line }{
		"an effect":                {[]Line{dialogue}, []Line{large}, []Line{dialogue, large}},
		"a shape of art":           {[]Line{line(100, 100, 400, 200, 0.6), dialogue}, nil, []Line{dialogue}},
		"as sure as text":          {[]Line{large, dialogue}, nil, []Line{large, dialogue}},
		"found already":            {[]Line{line(110, 105, 390, 195, 0.5)}, []Line{large}, []Line{line(110, 105, 390, 195, 0.5)}},
		"found in half":            {[]Line{line(80, 90, 250, 210, 0.9)}, []Line{large}, []Line{line(80, 90, 250, 210, 0.9)}},
		"small marks":              {[]Line{dialogue}, []Line{line(100, 100, 200, 120, 0.9)}, []Line{dialogue}},
		"two lines taken for one":  {[]Line{line(110, 105, 390, 145, 0.9), line(110, 155, 390, 195, 0.9)}, []Line{large}, []Line{line(110, 105, 390, 145, 0.9), line(110, 155, 390, 195, 0.9)}},
		"dialogue taken for large": {[]Line{line(110, 105, 200, 125, 0.9), line(210, 105, 300, 125, 0.9)}, []Line{large}, []Line{line(110, 105, 200, 125, 0.9), line(210, 105, 300, 125, 0.9)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, withLarge(c.lines, c.whole, coarse))
		})
	}
}
