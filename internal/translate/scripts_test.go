package translate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnswersInAnotherLanguage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		source, text, to string
		wrong, doubtful  bool
	}{
		"English":                       {"行こう", "Let's go now, you.", "en", false, false},
		"Chinese for English":           {"行こう", "我们走吧", "en", true, false},
		"Russian for English":           {"行こう", "Пойдём скорее", "en", true, false},
		"Korean for English":            {"行こう", "가자 어서", "en", true, false},
		"a Japanese name in English":    {"太郎だ", "This is Tarō (太郎).", "en", false, false},
		"Japanese for Chinese":          {"Come", "はやくこっち", "zh-Hans", true, false},
		"Korean for Chinese":            {"Come", "이리 와", "zh-Hans", true, false},
		"English for Chinese":           {"行こう", "Let's go, all of you!", "zh-Hans", false, true},
		"an English name in Chinese":    {"ジョン", "John", "zh-Hans", false, false},
		"English that was English":      {"Rock and Roll", "Rock and Roll!", "ja", false, false},
		"Chinese for Japanese":          {"You are late again", "你怎么又迟到了真是的啊", "ja", false, true},
		"a short Japanese word":         {"University", "東京大学", "ja", false, false},
		"a long vowel":                  {"Aaah", "わーーーー", "ja", false, false},
		"Russian":                       {"行こう", "Пойдём", "ru", false, false},
		"English for Russian":           {"行こう", "Come here right now", "ru", false, true},
		"Ukrainian for Arabic":          {"行こう", "Ходімо", "ar", true, false},
		"a language without a check":    {"行こう", "ဝဋ်", "my", false, false},
		"Hangul":                        {"行こう", "어서 가자", "ko", false, false},
		"Chinese for Korean":            {"行こう", "我们走吧", "ko", true, false},
		"punctuation alone is no error": {"！？", "!?", "ja", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.wrong, wrongScript(test.text, test.to), "wrong")
			require.Equal(t, test.doubtful, doubtfulScript(test.source, test.text, test.to), "doubtful")
		})
	}
}
