package workers_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	sdklog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/workflow"

	"plait/activities"
	"plait/activities/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/workers"
	"plait/workflows"
)

// envOldWorker makes this test binary a worker of an earlier version: "database URL|Temporal address|blob folder".
const envOldWorker = "PLAIT_TEST_OLD_WORKER"

// beforeAllChanges gives workflows the code that they had before any change that has a version: no change is known, and none
// is written into a history.
type beforeAllChanges struct{ interceptor.InterceptorBase }

func (*beforeAllChanges) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &oldWorkflow{interceptor.WorkflowInboundInterceptorBase{Next: next}}
}

type oldWorkflow struct {
	interceptor.WorkflowInboundInterceptorBase
}

func (w *oldWorkflow) Init(outbound interceptor.WorkflowOutboundInterceptor) error {
	return w.Next.Init(&unversioned{interceptor.WorkflowOutboundInterceptorBase{Next: outbound}})
}

type unversioned struct {
	interceptor.WorkflowOutboundInterceptorBase
}

func (*unversioned) GetVersion(workflow.Context, string, workflow.Version, workflow.Version) workflow.Version {
	return workflow.DefaultVersion
}

// pollAsOldWorker is a worker of roles control and gpu.
func pollAsOldWorker(ctx context.Context, places []string) error {
	store, err := records.Open(ctx, places[0], records.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	blobs, err := blob.Open(ctx, places[2])
	if err != nil {
		return err
	}
	c, err := client.Dial(client.Options{
		HostPort: places[1], Identity: "old", Interceptors: []interceptor.ClientInterceptor{&beforeAllChanges{}},
		Logger: sdklog.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return err
	}
	defer c.Close()
	a := activities.New(activities.Deps{
		Engine: activities.EngineOf(&enginetest.Engine{}), Blobs: blobs, Records: store, Contexts: lease.New(lease.Config{}),
		Host: "old", HostQueue: workflows.HostQueue("old", "1"),
	})
	return workers.Run(ctx, workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleControl, workers.RoleGPU}, Activities: a, Host: "old", Instance: "1",
		StickyCache: -1, StopTimeout: 5 * time.Second, OnReady: func() { fmt.Println(ready) },
	})
}

// changesOf are the changes whose versions the history of a task holds, and failed is the number of its workflow tasks that
// no worker could do.
func changesOf(t *testing.T, r *rig, in workflows.ChapterInput) (changes, failed int) {
	t.Helper()
	events := r.client.GetWorkflowHistory(t.Context(), in.TaskID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		if event.GetEventType() == enumspb.EVENT_TYPE_MARKER_RECORDED {
			changes++
		}
		if event.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED {
			failed++
		}
	}
	return changes, failed
}

// A roll: a new worker joins the old one in the middle of a chapter, both work on what comes, and the old one is stopped.
// Every workflow task replays its history, so that each goes from hand to hand.
func TestARollingUpgradeInTheMiddleOfAChapter(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	var begun workflows.ChapterInput
	refused := false
	r.model.Before = func(_ context.Context, request translate.Request) error {
		switch {
		case request.Page.TaskID != begun.TaskID:
		case request.Page.Index == 1 && !refused: // what follows a failed page has changed
			refused = true
			return core.NewError(core.CodeTranslatorRefused, "not this one")
		case request.Page.Index == 2:
			close(asked)
			<-answer
		}
		return nil
	}
	r.host(hostOptions{roles: []workers.Role{workers.RoleTranslate}, slots: 2})
	old, said := r.child(t, envOldWorker+"="+strings.Join([]string{r.url, r.address, r.blobDir}, "|"))
	require.Equal(t, ready, await(t, said, "the old worker"))
	begun = r.task(comic.ModeSplit, chapterPages(6)...)
	r.start(begun)
	await(t, asked, "the third page under the old version")

	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleGPU}, sticky: -1})
	between := r.task(comic.ModeSplit, hello(6), hello(7), hello(8))
	require.Equal(t, 3, r.run(between).SuccessCount)
	require.NoError(t, old.Process.Signal(os.Interrupt))
	require.NoError(t, old.Wait())
	close(answer)
	result, err := r.wait(begun)
	require.NoError(t, err)
	require.Equal(t, core.StatusPartial, result.Status)
	require.Equal(t, 5, result.SuccessCount)
	changes, failed := changesOf(t, r, begun)
	require.Zero(t, changes, "it goes on as it was begun")
	require.Zero(t, failed)
	record(t, r, begun, "upgraded")

	// What begins now begins in the new version.
	require.Equal(t, core.StatusSuccess, r.retry(begun).Status)
	changes, failed = changesOf(t, r, begun)
	require.Positive(t, changes)
	require.Zero(t, failed)
	require.Len(t, r.model.Pages(), 10, "no page was paid for twice")
	for i, page := range r.pages(begun) {
		require.Equal(t, helloRendered(i), r.result(page))
	}
}
