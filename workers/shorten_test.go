package workers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
)

// What does not fit is asked for once, in either mode, and both make the same of it.
func TestAChapterWhoseTextsDoNotFit(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{engine: &enginetest.Engine{Room: 10}})
	for i, mode := range []core.Mode{comic.ModeSplit, comic.ModeUnified} {
		in := r.task(mode, enginetest.Page("はい", "とても長い台詞ですから"), enginetest.Page("いいえ"))
		require.Equal(t, 2, r.run(in).SuccessCount)
		pages := r.pages(in)
		require.Equal(t, "はい -> [はい]\nとても長い台詞ですから -> [とても長い台詞で]\n", r.result(pages[0]), mode)
		require.Equal(t, "いいえ -> [いいえ]\n", r.result(pages[1]), mode)
		asked := r.model.Shortened()
		require.Len(t, asked, i+1, mode)
		require.Len(t, asked[i].Texts, 1)
		require.Equal(t, "[とても長い台詞ですから]", asked[i].Texts[0].Translation)
		if mode == comic.ModeSplit {
			record(t, r, in, "shortened")
		}
	}
}
