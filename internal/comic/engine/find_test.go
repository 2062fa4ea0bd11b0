package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic/ocr"
)

func TestWhatIsSurelyReadAsItStandsStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asItStands, without ocr.Reading
		stays               bool
	}{
		"the surer":                    {ocr.Reading{Text: "どうして", Prob: 0.7}, ocr.Reading{Text: "とうして", Prob: 0.6}, true},
		"surely read, ticks lost":      {ocr.Reading{Text: "どうして", Prob: 0.93}, ocr.Reading{Text: "とうして", Prob: 0.99}, true},
		"surely read, ticks in tone":   {ocr.Reading{Text: "したたろう", Prob: 0.93}, ocr.Reading{Text: "しただろう", Prob: 0.99}, false},
		"in doubt":                     {ocr.Reading{Text: "どうレて", Prob: 0.85}, ocr.Reading{Text: "どうして", Prob: 0.99}, false},
		"says less than is to be read": {ocr.Reading{Text: "うして", Prob: 0.93}, ocr.Reading{Text: "どうして", Prob: 0.99}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.stays, surer(c.asItStands, c.without) == c.asItStands)
		})
	}
}
