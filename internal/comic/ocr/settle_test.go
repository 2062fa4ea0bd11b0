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
		"すベてファイルも":  "すべてファイルも",
		"ペこペこ…":     "ぺこぺこ…",
		"学校ヘ":       "学校ヘ",
		"学校ヘいく":     "学校へいく",
		"このペンで":     "このペンで",
		"ペン":        "ペン",
		"アルファべット":   "アルファベット",
		"アフリカへ":     "アフリカへ",
	} {
		require.Equal(t, want, settle(read), read)
	}
}
