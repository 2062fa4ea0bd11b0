package phrase_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/assets/assetstest"
	"plait/internal/comic/letter/phrase"
)

func model(tb testing.TB, lang string) *phrase.Model {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(assetstest.Location(), "phrases", lang+".json"))
	require.NoError(tb, err)
	m, err := phrase.Parse(b)
	require.NoError(tb, err)
	return m
}

func TestPhrases(t *testing.T) {
	t.Parallel()
	for lang, texts := range map[string][]string{
		"ja":      {"今日は|とても|天気です。", "コンテストは|12時に|始まるって、|知らなかったの？"},
		"zh-Hans": {"今天|是|晴天。", "药水|至少|能|让|大家"},
		"zh-Hant": {"今天|是|晴天。"},
	} {
		m := model(t, lang)
		for _, want := range texts {
			text := []rune(strings.ReplaceAll(want, "|", ""))
			var got strings.Builder
			for i, score := range m.Scores(text)[:len(text)] {
				if score > 0 {
					got.WriteByte('|')
				}
				got.WriteRune(text[i])
			}
			require.Equal(t, want, got.String(), lang)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"UW3": {"は": 100}, "UW4": {"天": 50}, "TW4": {"abc": -1}}`), "今日は天気")
	f.Add([]byte(`{"UW3": {}}`), "")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		m, err := phrase.Parse(file)
		if err != nil {
			return
		}
		runes := []rune(text)
		require.Len(t, m.Scores(runes), len(runes)+1)
	})
}
