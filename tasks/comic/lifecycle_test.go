package comictasks_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/archive"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workflows"
)

var discard = slog.New(slog.DiscardHandler)

func refOf(b []byte) core.BlobRef { return core.NewBlobRef(sha256.Sum256(b)) }

func TestCancel(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.accept(request(twoPages(t)))
	got, err := f.Cancel(ctx, tenant, task.ID)
	require.NoError(t, err)
	require.NotNil(t, got.CancelRequestedAt)
	described, err := f.temporal.DescribeWorkflow(ctx, task.ID, "")
	require.NoError(t, err)
	require.NotNil(t, described)
	requireCode(t, core.CodeConflict, f.Delete(ctx, tenant, task.ID))
	_, err = f.Cancel(ctx, "other", task.ID)
	requireCode(t, core.CodeNotFound, err)

	_, err = f.records.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID, Canceled: true})
	require.NoError(t, err)
	_, err = f.Cancel(ctx, tenant, task.ID)
	requireCode(t, core.CodeConflict, err)
	require.NoError(t, f.Delete(ctx, tenant, task.ID))
	taskCount, blobCount := f.left()
	require.Zero(t, taskCount)
	require.Zero(t, blobCount)
}

// A task that has no workflow yet ends at once; one whose cancel did not reach Temporal is canceled by the sweeper.
func TestCancelWithoutWorkflow(t *testing.T) {
	f := open(t)
	away := openWith(t, dial(t, "127.0.0.1:1"))
	task := away.accept(request(twoPages(t)))
	got, err := away.Cancel(t.Context(), tenant, task.ID)
	require.NoError(t, err)
	require.Equal(t, core.StatusQueued, got.Status)
	require.NotNil(t, got.CancelRequestedAt, "the wish is durable")

	away.sql(`UPDATE task SET created_at = now() - interval '1 hour'`)
	back := newService(tasks.Deps{Records: away.records.Store, Blobs: away.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
	swept, err := back.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Canceled: 1}, swept)
	require.Equal(t, core.TaskResult{Status: core.StatusCanceled, TotalCount: 2, FailedCount: 2}, away.task(task.ID).Result())
}

// An operator terminates the workflow: the sweeper ends the task, and tells why.
func TestSweepTerminated(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	queued, running, alive := f.accept(request(twoPages(t))), f.accept(request(twoPages(t))), f.accept(request(twoPages(t)))
	require.NoError(t, f.records.StartTask(ctx, core.StartTaskInput{TaskID: running.ID}))
	for _, id := range []string{queued.ID, running.ID} {
		require.NoError(t, f.temporal.TerminateWorkflow(ctx, id, "", "test"))
	}
	f.sql(`UPDATE task SET created_at = now() - interval '1 hour', updated_at = now() - interval '1 hour'`)
	var total tasks.Swept
	var group errgroup.Group
	results := make([]tasks.Swept, 3)
	for i := range results { // several processes sweep at once
		service := newService(tasks.Deps{Records: f.records.Store, Blobs: f.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
		group.Go(func() (err error) { results[i], err = service.Sweep(ctx); return err })
	}
	require.NoError(t, group.Wait())
	for _, r := range results {
		total.Terminated += r.Terminated
	}
	require.Equal(t, 2, total.Terminated)
	for _, id := range []string{queued.ID, running.ID} {
		task := f.task(id)
		require.Equal(t, core.TaskResult{Status: core.StatusError, TotalCount: 2, FailedCount: 2}, task.Result())
		require.Equal(t, core.CodeTerminated, task.Failure.Code)
	}
	require.Equal(t, core.StatusQueued, f.task(alive.ID).Status)
	require.Equal(t, workflows.StateRunning, f.state(alive.ID))
}

// Temporal lost what it knew: the pages that are left are started again; a task of which only the end is missing ends.
func TestSweepLostWorkflow(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	away := openWith(t, dial(t, "127.0.0.1:1"))
	half, whole := away.accept(request(twoPages(t))), away.accept(request(twoPages(t)))
	for i, id := range []string{half.ID, whole.ID} {
		require.NoError(t, away.records.StartTask(ctx, core.StartTaskInput{TaskID: id}))
		for _, p := range mustPages(away, id)[:i+1] {
			require.NoError(t, away.records.FailItem(ctx, p, comic.ModeSplit, core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage}))
		}
	}
	away.sql(`UPDATE task SET updated_at = now() - interval '1 hour'`)
	back := newService(tasks.Deps{Records: away.records.Store, Blobs: away.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
	swept, err := back.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Started: 1, Finished: 1}, swept)
	require.Equal(t, workflows.StateRunning, f.state(half.ID))
	require.Equal(t, core.StatusError, away.task(whole.ID).Status)
}

func mustPages(f fixture, id string) []core.Item {
	f.t.Helper()
	pages, err := f.records.Pages(f.t.Context(), id)
	require.NoError(f.t, err)
	var refs []core.Item
	for _, p := range pages {
		refs = append(refs, p.Ref)
	}
	return refs
}

// More tasks than a listing has on a page: those that stay queued do not hide the last.
func TestSweepPastAFullPage(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	const many = 101
	for range many {
		id := uuid.NewString()
		_, _, err := f.records.CreateTask(ctx, records.NewTask{
			ID: id, Tenant: tenant, Kind: comic.Kind, Options: comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}.JSON(),
			Items: []core.Item{{TaskID: id, Tenant: tenant, Name: "1.png", Blob: refOf(nil)}},
		})
		require.NoError(t, err)
	}
	f.sql(`UPDATE task SET created_at = created_at - interval '1 hour'`)
	swept, err := f.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Started: many}, swept)
}

// What a crash left before there was a row goes when its hold has expired.
func TestSweepBlobs(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	left := []byte("put, and never named")
	require.NoError(t, f.records.HoldBlobs(ctx, "crashed", []core.BlobRef{refOf(left)}))
	_, _, err := f.blobs.Put(ctx, bytes.NewReader(left), 1000)
	require.NoError(t, err)
	swept, err := f.Sweep(ctx)
	require.NoError(t, err)
	require.Zero(t, swept.BlobsRemoved)
	f.sql(`UPDATE blob_lease SET expires_at = now()`)
	swept, err = f.Sweep(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, swept.BlobsRemoved)
	_, blobCount := f.left()
	require.Zero(t, blobCount)
}

func TestRunSweeper(t *testing.T) {
	f := open(t)
	task := f.accept(request(twoPages(t)))
	require.NoError(t, f.temporal.TerminateWorkflow(t.Context(), task.ID, "", "test"))
	f.sql(`UPDATE task SET created_at = now() - interval '1 hour'`)
	ctx, cancel := context.WithCancel(t.Context())
	var group errgroup.Group
	group.Go(func() error { return f.RunSweeper(ctx, 10*time.Millisecond) })
	require.Eventually(t, func() bool { return f.task(task.ID).Status == core.StatusError }, 20*time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, group.Wait())
}

func TestWriteResult(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.accept(request(twoPages(t)))
	requireCode(t, core.CodeConflict, f.WriteResult(ctx, io.Discard, tenant, task.ID))
	f.finish(task.ID, 1)
	var first, second bytes.Buffer
	require.NoError(t, f.WriteResult(ctx, &first, tenant, task.ID))
	require.NoError(t, f.WriteResult(ctx, &second, tenant, task.ID))
	require.Equal(t, first.Bytes(), second.Bytes(), "the same bytes each time")

	a, err := archive.Open(bytes.NewReader(first.Bytes()), int64(first.Len()), archive.Limits{})
	require.NoError(t, err)
	var got []named
	for _, e := range a.Entries() {
		r, err := a.Open(e.Name)
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		got = append(got, named{e.Name, b})
	}
	require.Equal(t, "10.png", got[0].name)
	require.Equal(t, pagePNG(t, 10), got[0].content, "a page that failed is as it was")
	require.Equal(t, "ComicInfo.xml", got[1].name)
	require.Contains(t, string(got[1].content), "<LanguageISO>en</LanguageISO>")
	require.Equal(t, named{"2.png", []byte("result of 2.png")}, got[2])

	requireCode(t, core.CodeNotFound, f.WriteResult(ctx, io.Discard, "other", task.ID))
	var none bytes.Buffer
	require.NoError(t, f.blobs.Delete(ctx, refOf([]byte("result of 2.png"))))
	requireCode(t, core.CodeBlobMissing, f.WriteResult(ctx, &none, tenant, task.ID))
	require.Zero(t, none.Len(), "nothing is written before everything is there")
}

func TestResultOfImagesAndOfNothing(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	images := comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("b10.png", pagePNG(t, 1)), upload("b9.png", pagePNG(t, 2))}}}
	task, failed := f.accept(images), f.accept(images)
	f.finish(task.ID)
	var b bytes.Buffer
	require.NoError(t, f.WriteResult(ctx, &b, tenant, task.ID))
	a, err := archive.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), archive.Limits{})
	require.NoError(t, err)
	require.Equal(t, "b9.png", a.Entries()[0].Name)
	require.Len(t, a.Entries(), 2)

	f.finish(failed.ID, 0, 1)
	requireCode(t, core.CodeConflict, f.WriteResult(ctx, io.Discard, tenant, failed.ID))
}
