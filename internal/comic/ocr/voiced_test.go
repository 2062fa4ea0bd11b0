package ocr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAVoicingMarkIsInDoubt(t *testing.T) {
	t.Parallel()
	d := Dictionary{"", "す", "ず", "フ", "プ", "a", "á", " "}
	for name, c := range map[string]struct {
		row     []float32
		inDoubt bool
	}{
		"with or without":          {[]float32{0, .6, .4, 0, 0, 0, 0, 0}, true},
		"half voiced":              {[]float32{0, 0, 0, .3, .7, 0, 0, 0}, true},
		"surely without":           {[]float32{0, .95, .05, 0, 0, 0, 0, 0}, false},
		"another kana":             {[]float32{0, .6, 0, .4, 0, 0, 0, 0}, false},
		"a letter of another kind": {[]float32{0, 0, 0, 0, 0, .6, .4, 0}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sure := []float32{0, 0, 0, 1, 0, 0, 0, 0}
			require.Equal(t, c.inDoubt, d.Decode(append(sure, c.row...)).MarkInDoubt)
		})
	}
}
