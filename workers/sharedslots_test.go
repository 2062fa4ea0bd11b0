package workers_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	videosteps "plait/activities/video"
	"plait/internal/video"
	"plait/internal/video/ffmpeg/ffmpegtest"
	"plait/workflows"
	videoflow "plait/workflows/video"
)

// gated is an engine that tells which videos it begins, and makes each when it is let go.
type gated struct {
	file   string
	begins chan string
	let    chan struct{}
}

func (g *gated) Generate(ctx context.Context, j video.Job) error {
	g.begins <- j.TaskID
	select {
	case <-g.let:
		return os.Link(g.file, j.Path)
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gated) Forget(context.Context, video.Job) error { return nil }

// Two processes share the slots of an engine. A video that comes late with a better priority is begun before those that waited, whichever
// process has the next slot.
func TestVideosOfAllProcessesWaitInOneQueue(t *testing.T) {
	r := newRig(t)
	const slots, waiting = 2, 6
	file := ffmpegtest.Make(t, "-f", "lavfi", "-i", "testsrc=size=128x96:rate=24:duration=3", "-c:v", "libx264", "-pix_fmt", "yuv420p", "video.mp4")
	g := &gated{file: filepath.Clean(file), begins: make(chan string, slots+waiting+1), let: make(chan struct{})}
	engine := videosteps.Engine{Generator: g, Slots: slots, Acquire: func(ctx context.Context) (func(), error) {
		slot, err := r.records.AcquireSlot(ctx, "gated", slots)
		if err != nil {
			return nil, err
		}
		return slot.Release, nil
	}}
	for _, name := range []string{"one", "two"} {
		t.Cleanup(r.videoHost(t, name, r.blobs, videosteps.Deps{Engines: map[string]videosteps.Engine{"gated": engine}, Extend: noPrompts}))
	}
	start := func(tenant string, key int) string {
		o := order{id: uuid.NewString()}
		r.ordered(o, "gated", tenant, workflows.Share{PriorityKey: key, FairnessWeight: 1})
		return o.id
	}
	begun := func() string {
		select {
		case id := <-g.begins:
			return id
		case <-time.After(patience):
			t.Fatal("no video begins")
			return ""
		}
	}
	ids := map[string]bool{}
	for range slots + waiting {
		ids[start("default", 3)] = true
	}
	for range slots {
		require.Contains(t, ids, begun())
	}
	premium := start("premium", 1)
	ids[premium] = true
	queued := func() bool { return r.backlog(videoflow.QueueOf("gated")) == waiting+1 }
	require.NoError(t, until(t.Context(), queued), "they wait in their queue")
	require.Empty(t, g.begins, "as many as there are slots")
	g.let <- struct{}{}
	require.Equal(t, premium, begun())
	for range slots + waiting {
		g.let <- struct{}{}
	}
	for id := range ids {
		require.NoError(t, r.client.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	}
}

// backlog is the number of steps that wait in a queue.
func (r *rig) backlog(queue string) int64 {
	r.t.Helper()
	description, err := r.client.WorkflowService().DescribeTaskQueue(r.t.Context(), &workflowservice.DescribeTaskQueueRequest{
		Namespace: client.DefaultNamespace, TaskQueue: &taskqueue.TaskQueue{Name: queue}, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY, ReportStats: true,
	})
	require.NoError(r.t, err)
	return description.GetStats().GetApproximateBacklogCount()
}
