package mangaocr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":             "",
		"た す　け\n":      "たすけ",
		"まさか...":       "まさか…",
		"まさか......!?":  "まさか……！？",
		"え・・・":         "え…",
		"え..":          "え…",
		"え….":          "え…",
		"えっ…":          "えっ…",
		"ジョン・スミス":      "ジョン・スミス",
		"No.5":         "Ｎｏ．５",
		"ｶﾞｰﾝ":         "ガーン",
		"ABC123":       "ＡＢＣ１２３",
		"........end.": "……ｅｎｄ．",
	} {
		require.Equal(t, want, normalize(text), text)
	}
}

func FuzzNormalize(f *testing.F) {
	f.Add("え....・…‥")
	f.Add("ｶﾞ A!")
	f.Fuzz(func(t *testing.T, text string) {
		once := normalize(text)
		require.Equal(t, once, normalize(once))
	})
}
