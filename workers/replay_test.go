package workers_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"plait/activities"
	comicsteps "plait/activities/comic"
	"plait/activities/comic/enginetest"
	"plait/internal/blob"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/workers"
	comicworkers "plait/workers/comic"
	"plait/workflows"
)

// envOldWorker makes this test binary the worker that is replaced: "database URL|Temporal address|blob folder".
const envOldWorker = "PLAIT_TEST_OLD_WORKER"

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
	c, err := dial(places[1])
	if err != nil {
		return err
	}
	defer c.Close()
	host := activities.New(activities.Deps{
		Blobs: blobs, Records: store, Leases: lease.New(lease.Config{}), Name: "old", Queue: workflows.HostQueue("old", "1"),
	})
	steps := comicsteps.New(comicsteps.Deps{Host: host, Engine: comicsteps.EngineOf(&enginetest.Engine{})})
	return workers.Run(ctx, workers.Config{
		Client: c, Roles: []workers.Role{workers.RoleControl, workers.RoleGPU}, Host: host, Instance: "1",
		Kinds: []workers.Kind{comicworkers.Kind(steps)}, StickyCache: -1, StopTimeout: 5 * time.Second, OnReady: func() { fmt.Println(ready) },
	})
}

// failedWorkflowTasks are those of a task that no worker could do.
func failedWorkflowTasks(t *testing.T, r *rig, in chapter) (failed int) {
	t.Helper()
	events := r.client.GetWorkflowHistory(t.Context(), in.TaskID, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		if event.GetEventType() == enumspb.EVENT_TYPE_WORKFLOW_TASK_FAILED {
			failed++
		}
	}
	return failed
}

// A roll: a new worker joins the old one in the middle of a chapter, both work on what comes, and the old one is stopped.
// Every workflow task replays its history, so that each goes from hand to hand.
func TestWorkersAreReplacedInTheMiddleOfAChapter(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}), make(chan struct{})
	var begun chapter
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
	await(t, asked, "the third page under the old worker")

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
	require.Zero(t, failedWorkflowTasks(t, r, begun))
	require.Equal(t, core.StatusSuccess, r.retry(begun).Status)
	require.Zero(t, failedWorkflowTasks(t, r, begun))
	require.Len(t, r.model.Pages(), 10, "no page was paid for twice")
	for i, page := range r.pages(begun) {
		require.Equal(t, helloRendered(i), r.result(page))
	}
}
