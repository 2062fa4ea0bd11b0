package letter_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// TestNoLineBreaksTheRulesOfKinsoku sets generated paragraphs and checks every place where a line may end.
func TestNoLineBreaksTheRulesOfKinsoku(t *testing.T) {
	t.Parallel()
	const (
		// JLREQ, Appendix A: classes cl-02 to cl-07 and cl-09 to cl-11 do not begin a line, and cl-01 does not end one.
		first = "’”）〕］｝〉》」』】｠〙〗»〟‐〜゠–！？‼⁇⁈⁉・：；。．、，ヽヾゝゞ々〻ー" +
			"ぁぃぅぇぉァィゥェォっゃゅょゎッャュョヮヵヶ" + "!?,.:;)]}%…‥♪♡"
		last  = "‘“（〔［｛〈《「『【｟〘〖«〝(["
		whole = "…‥—―"
	)
	pieces := []string{
		"私", "魔法", "猫", "コンテスト", "きっと", "ちょっと", "ッ", "ょ", "ー", "～", "々", "は", "を", "です", "药水", "我们", "的", "吗",
		"。", "、", "！", "？", "…", "……", "――", "—", "「", "」", "『", "』", "（", "）", "“", "”", "‘", "’", "・", "：", "；", "，",
		" ", "OK", "Pepper", "12", "3.5", "100%", "!", "?", "...", "!?", "♪", "♡", "(", ")", "[", "]", "￥", "500", "\U0001F600", "e\u0301",
	}
	random := rand.New(rand.NewPCG(1, 2))
	ends := 0
	for n := range 10000 {
		var text strings.Builder
		for range 3 + random.IntN(30) {
			text.WriteString(pieces[random.IntN(len(pieces))])
		}
		lang := []string{"ja", "zh-Hans", "zh-Hant"}[n%3]
		set, places, err := letterer(t).LineEnds(lang, text.String())
		require.NoError(t, err)
		for _, at := range places {
			if at == len(set) {
				continue
			}
			ends++
			before := []rune(strings.TrimRight(string(set[:at]), " "))
			a, b := before[len(before)-1], set[at]
			ok := !strings.ContainsRune(first, b) && !strings.ContainsRune(last, a) && (a != b || !strings.ContainsRune(whole, a)) &&
				(!unicode.IsDigit(a) || !unicode.IsDigit(b) || set[at-1] == ' ')
			require.True(t, ok, "%s: %s | %s", lang, string(set[:at]), string(set[at:]))
		}
	}
	require.Greater(t, ends, 50000)
}

func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	for lang, text := range map[string]string{
		"en": "Don't you know the wizard's well-known potion?",
		"ko": "마법약 대회는 12시에 시작한대요! 몰랐어요?",
		"ru": "Ты разве не знала про конкурс зелий?",
		"ar": "ألم تعرفي مسابقة الجرعات السحرية؟",
	} {
		set, places, err := letterer(t).LineEnds(lang, text)
		require.NoError(t, err)
		require.NotEmpty(t, places)
		for _, at := range places {
			if at == len(set) || set[at-1] == ' ' || set[at-1] == '-' {
				continue
			}
			// Any other break is inside a word, as the last resort, and never beside a mark.
			require.True(t, unicode.IsLetter(set[at-1]) && unicode.IsLetter(set[at]), "%s: %s | %s", lang, string(set[:at]), string(set[at:]))
		}
	}
}
