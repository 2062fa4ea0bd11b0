package ocr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatNeighborsTellIsSettled(t *testing.T) {
	t.Parallel()
	for read, want := range map[string]string{
		"… 嗯":       "… 嗯",
		"……":        "……",
		"... but?":  "... but?",
		".. huh":    "… huh",
		"over! …….": "over! …",
		"No.":       "No.",
		"シチ三、":      "シチミ、",
		"スーパ一マン":    "スーパーマン",
		"ゴオ才才オ才":    "ゴオオオオオ",
		"ビル二三軒":     "ビル二三軒",
		"ア三人":       "ア三人",
		"三人":        "三人",
		"ノ二つ":       "ノ二つ",
		"口をあけて":     "口をあけて",
		"ペこペこ…":     "ぺこぺこ…",
		"源をすベて、":    "源をすべて、",
		"ペンで":       "ペンで",
		"カベに":       "カベに",
		"ヘ長調":       "ヘ長調",
	} {
		require.Equal(t, want, settle(read), read)
	}
}
