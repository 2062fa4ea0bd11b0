package comicrecords_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
)

// The pages of one task, at known times: two of split mode (2 s and 4 s), one that fell back (9 s), one that fell back
// and failed, one that failed in detect after a retry.
func viewed(t *testing.T) fixture {
	t.Helper()
	f := open(t)
	ctx := t.Context()
	n := f.running(5)
	f.finish(n.Items[0])
	f.finish(n.Items[1])
	fallback := fallbackOf(n.Items[2])
	f.Begin(fallback)
	require.NoError(t, f.FinishPage(ctx, fallback, resultOf(n.Items[2], comic.ModeFallback)))
	fallback.Item = n.Items[3]
	f.Begin(fallback)
	require.NoError(t, f.FailItem(ctx, n.Items[3], comic.ModeFallback, core.Failure{Stage: comic.StageFallback, Code: core.CodeDevice}))
	retried := runOf(n.Items[4], comic.StageDetect, 1)
	f.Begin(retried)
	require.NoError(t, f.EndStage(ctx, retried, core.CodeInvalidImage, "", nil))
	f.Begin(runOf(n.Items[4], comic.StageDetect, 2))
	require.NoError(t, f.FailItem(ctx, n.Items[4], comic.ModeSplit, core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage}))
	for i, seconds := range []int{2, 4, 9, 1, 1} {
		f.SQL(fmt.Sprintf(`UPDATE item SET started_at = '2026-03-01 12:10:00Z', ended_at = timestamptz '2026-03-01 12:10:00Z' + interval '%d seconds'
			WHERE item_index = %d`, seconds, i))
	}
	f.SQL(`UPDATE stage_run SET ended_at = '2026-03-01 12:11:00Z'`)
	return f
}

func TestPageThroughput(t *testing.T) {
	require.Equal(t, []string{
		"2026-03-01 12:00:00+00 acme fallback_to_unified 2 1 1 9.000 9.000",
		"2026-03-01 12:00:00+00 acme split 3 2 1 3.000 3.900",
	}, viewed(t).Rows(`SELECT * FROM page_throughput ORDER BY mode`))
}

func TestFallbackRate(t *testing.T) {
	require.Equal(t, []string{"2026-03-01 00:00:00+00 acme 5 2 1 0.4000"}, viewed(t).Rows(`SELECT * FROM fallback_rate`))
}

func TestFailuresByStage(t *testing.T) {
	require.Equal(t, []string{
		"2026-03-01 00:00:00+00 acme detect INVALID_IMAGE 1 2 comic",
		"2026-03-01 00:00:00+00 acme fallback DEVICE_FAILED 1 1 comic",
	}, viewed(t).Rows(`SELECT * FROM failures_by_stage ORDER BY stage`))
}
