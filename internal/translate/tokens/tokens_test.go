package tokens_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets"
	"plait/internal/assets/assetstest"
	"plait/internal/translate/tokens"
)

var counts = map[string]int{
	"Good morning! You're late.": 7,
	"おはよう！遅刻だぞ":                  9,
	"我们明天一起去看电影吧。":               7,
	"어서 와요, 오랜만이네요!":             11,
	"<|1|>はい\n<|2|>ドカーン！！\n":     18,
	"1234567 v2.0\t\n\n  x":      14,
	"Привет, как дела?":          7,
	"":                           0,
	"é e\u0301 ﾊﾝｶｸ 👍🏽":          11,
}

// The counts are those that the reference implementation gives for the same vocabulary.
func TestCount(t *testing.T) {
	t.Parallel()
	path, err := assetstest.Open(t).Path(assets.Tokenizer)
	require.NoError(t, err)
	c, err := tokens.Load(path)
	require.NoError(t, err)
	for text, want := range counts {
		require.Equal(t, want, c.Count(text), "%q", text)
	}
}

func TestAFileThatIsNoVocabulary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	_, err := tokens.Load(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, text := range []string{"", "{}", "[]", `{"model":{"vocab":{"a":1}}}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err = tokens.Load(path)
		require.ErrorContains(t, err, "tokenizer")
	}
}
