package workers_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/workflows"
)

// longPages have more events than the 4,096 that a run may have, however few workflow tasks a quick machine puts them
// into: three steps of three events are the least of a page. To record a
// history of a run that ends because the server suggests it, let one suggest it early and point the tests to it:
//
//	build/assets/temporal/bin/temporal server start-dev --headless --port 7300 --db-filename /tmp/record.db \
//	  --dynamic-config-value limit.historyCount.suggestContinueAsNew=80 \
//	  --search-attribute PlaitTenant=Keyword --search-attribute PlaitKind=Keyword \
//	  --search-attribute PlaitStatus=Keyword --search-attribute PlaitTargetLanguage=Keyword
//	PLAIT_TEST_TEMPORAL_ADDRESS=127.0.0.1:7300 go test ./workers -count=1 -record -run LongChapter
const longPages = 480

func TestALongChapterGoesOnInANewRun(t *testing.T) {
	r := newRig(t)
	r.host(hostOptions{})
	in := r.task(comic.ModeSplit, chapterPages(longPages)...)
	r.start(in)
	first, err := r.client.DescribeWorkflowExecution(t.Context(), in.TaskID, "")
	require.NoError(t, err)
	result, err := r.wait(in)
	require.NoError(t, err)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: longPages, SuccessCount: longPages}, result)
	require.Len(t, r.model.Pages(), longPages)

	runID := first.GetWorkflowExecutionInfo().GetExecution().GetRunId()
	events := r.client.GetWorkflowHistory(t.Context(), in.TaskID, runID, false, enumspb.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
	last, err := events.Next()
	require.NoError(t, err)
	require.Equal(t, enumspb.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW, last.GetEventType())
	require.LessOrEqual(t, last.GetEventId(), int64(4096))
	p, err := workflows.ProgressOf(t.Context(), r.client, in.TaskID)
	require.NoError(t, err)
	require.Equal(t, workflows.Progress{Total: longPages, Done: longPages, Success: longPages,
		Modes: map[core.Mode]int{comic.ModeSplit: longPages}, InFlight: []workflows.ItemProgress{}}, p)
	name := "history-bound"
	if last.GetEventId() < longPages { // the server suggested it
		name = "continued-as-new"
	}
	recordRun(t, r, in, runID, name)
}
