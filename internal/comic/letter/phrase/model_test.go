package phrase_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

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
		"zh-Hans": {"今天|是|晴天。", "药水|至少|能|让|大家"},
		"zh-Hant": {"今天|是|晴天。"},
	} {
		m := model(t, lang)
		for _, want := range texts {
			text := []rune(strings.ReplaceAll(want, "|", ""))
			require.Equal(t, want, divided(text, m.Scores(text)), lang)
		}
	}
}

func TestPhrasesOfJapanese(t *testing.T) {
	t.Parallel()
	j, err := phrase.OpenJapanese()
	require.NoError(t, err)
	for _, want := range []string{
		"今日は|とても|天気です。", "窓を|閉めたの|また|風が|吹いた", "鍋を|洗いました|朝まで", "雨が|降ったら|帰りましょう",
		"この|古い|時計を|修理したい", "猫と|犬が|眠って|いる",
	} {
		text := []rune(strings.ReplaceAll(want, "|", ""))
		require.Equal(t, want, divided(text, j.Scores(text)))
	}
}

// A place where a sentence ends scores more than one after a particle, that one more than one before a noun that is modified, and that one
// more than one inside a word.
func TestScoresOfJapanese(t *testing.T) {
	t.Parallel()
	j, err := phrase.OpenJapanese()
	require.NoError(t, err)
	for _, c := range []struct {
		text  string
		order []int // places, by falling scores
	}{
		{"これでいいの眠る森の家に帰ろう", []int{6, 3, 8, 1}},
		{"雨が降ったので傘を持つこの人は誰", []int{11, 2, 13}},
		{"休みでした朝の海は静かです", []int{5, 9, 7, 1}},
	} {
		scores := j.Scores([]rune(c.text))
		for i, at := range c.order[1:] {
			require.Less(t, scores[at], scores[c.order[i]], "%s: %d and %d", c.text, c.order[i], at)
		}
	}
}

// divided returns a text with a bar before each phrase.
func divided(text []rune, scores []float64) string {
	var out strings.Builder
	for i, r := range text {
		if scores[i] > 0 && i > 0 && !unicode.IsPunct(r) {
			out.WriteByte('|')
		}
		out.WriteRune(r)
	}
	return out.String()
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
