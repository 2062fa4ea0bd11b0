package comictasks_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/ledger"
	"plait/tasks"
	comictasks "plait/tasks/comic"
)

const month = 720 * time.Hour

// keeping is the service with lifetimes; it sweeps the same rows and files.
func (f fixture) keeping(r tasks.Retention, m *tasks.Metrics) service {
	return newService(tasks.Deps{Records: f.records.Store, Blobs: f.blobs, Temporal: f.temporal, Retention: r, Log: discard, Metrics: m}, comictasks.Deps{})
}

func (f fixture) sweptBy(s service) tasks.Swept {
	f.t.Helper()
	swept, err := s.Sweep(f.t.Context())
	require.NoError(f.t, err)
	return swept
}

// age makes all that has ended, or was called, so much older.
func (f fixture) age(d time.Duration) {
	f.t.Helper()
	f.sql(`UPDATE task SET ended_at = ended_at - make_interval(secs => $1)`, d.Seconds())
	f.sql(`UPDATE model_call SET started_at = started_at - make_interval(secs => $1)`, d.Seconds())
}

func (f fixture) paid(task, key string) {
	f.t.Helper()
	require.NoError(f.t, f.records.RecordCall(f.t.Context(), ledger.Call{
		Key: key, Tenant: tenant, TaskID: task, Provider: "p", Model: "m", Outcome: ledger.OutcomeOK, StartedAt: time.Now(),
		CostMicros: 7, Answer: ledger.Answer{Text: "Yes", InputTokens: 3, OutputTokens: 1},
	}))
}

// Images go, and the rows tell what there was; what another task has too stays, until that one is old as well.
func TestFilesGoAndRowsStay(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	registry := prometheus.NewPedanticRegistry()
	s := f.keeping(tasks.Retention{Files: month}, tasks.NewMetrics(registry))
	old, pending := f.accept(request(twoPages(t))).ID, f.accept(request(twoPages(t))).ID
	f.finish(old)
	f.finish(pending, 1)
	require.Equal(t, tasks.Swept{}, f.sweptBy(s))
	f.age(month)
	shared := f.accept(request(twoPages(t))).ID // the same images and names, and so the same blobs
	// A page that is to be rendered again needs its image.
	f.sql(`UPDATE comic_page SET edited_at = now(), edit_revision = 1 WHERE task_id = $1 AND item_index = 0`, pending)

	require.Equal(t, tasks.Swept{FilesRemoved: 1, BlobsRemoved: 1}, f.sweptBy(s), "the other blobs have another name yet")
	require.NotNil(t, f.task(old).FilesRemovedAt)
	require.Equal(t, 2, f.task(old).SuccessCount)
	requireCode(t, core.CodeNotFound, f.WriteResult(ctx, io.Discard, tenant, old))
	_, err := f.records.EditPage(ctx, tenant, old, 0, "Ann", []comicrecords.RegionEdit{{Text: new("")}})
	requireCode(t, core.CodeConflict, err)
	require.NoError(t, f.WriteResult(ctx, io.Discard, tenant, pending))

	f.sql(`UPDATE comic_page SET rendered_revision = edit_revision`)
	swept := f.sweptBy(s)
	require.Equal(t, tasks.Swept{FilesRemoved: 1, BlobsRemoved: 1}, swept, "its result; the images have a task that runs")
	_, err = f.Retry(ctx, tenant, pending)
	requireCode(t, core.CodeConflict, err)
	require.Equal(t, tasks.Swept{}, f.sweptBy(s), "once is enough")
	require.NoError(t, testutil.GatherAndCompare(registry, bytes.NewReader([]byte(oneQueued)), "plait_tasks"))
	f.sql(`UPDATE task SET created_at = now() - interval '1 hour' WHERE id = $1`, shared)
	f.sql(`INSERT INTO idempotent_request (tenant, route, key, claim, claimed_until, expires_at) VALUES ('t', '/v1/blobs', 'k', gen_random_uuid(), now(), now())`)
	require.Equal(t, tasks.Swept{RequestsForgotten: 1}, f.sweptBy(s))
	oldest, err := testutil.GatherAndCount(registry, "plait_task_oldest_queued_seconds")
	require.NoError(t, err)
	require.Equal(t, 1, oldest)

	f.finish(shared)
	f.age(month)
	require.Equal(t, tasks.Swept{FilesRemoved: 1, BlobsRemoved: 5}, f.sweptBy(s))
	taskCount, blobCount := f.left()
	require.Equal(t, []int{3, 0}, []int{taskCount, blobCount})
	require.NoError(t, testutil.GatherAndCompare(registry, bytes.NewReader([]byte(sweptTotal)), "plait_swept_total"))
}

const oneQueued = `
# HELP plait_tasks Tasks that have not ended, by kind and status, at the last sweep.
# TYPE plait_tasks gauge
plait_tasks{kind="comic",status="paused"} 0
plait_tasks{kind="comic",status="queued"} 1
plait_tasks{kind="comic",status="running"} 0
`

const sweptTotal = `
# HELP plait_swept_total Tasks, items, model calls, uploads, events, deliveries, idempotency keys and blobs that sweeps repaired or removed, by action.
# TYPE plait_swept_total counter
plait_swept_total{done="answers_erased"} 0
plait_swept_total{done="blobs_removed"} 7
plait_swept_total{done="calls_deleted"} 0
plait_swept_total{done="canceled"} 0
plait_swept_total{done="deliveries_given_up"} 0
plait_swept_total{done="deliveries_removed"} 0
plait_swept_total{done="edited"} 0
plait_swept_total{done="events_removed"} 0
plait_swept_total{done="files_removed"} 3
plait_swept_total{done="finished"} 0
plait_swept_total{done="requests_forgotten"} 1
plait_swept_total{done="signaled"} 0
plait_swept_total{done="started"} 0
plait_swept_total{done="tasks_deleted"} 0
plait_swept_total{done="terminated"} 0
plait_swept_total{done="uploads_expired"} 0
`

// A blob that an upload in flight has taken hold of stays, although the task that named it is gone.
func TestRetentionLeavesWhatAnUploadHolds(t *testing.T) {
	f := open(t)
	s := f.keeping(tasks.Retention{Tasks: month}, nil)
	id := f.accept(request(twoPages(t))).ID
	f.finish(id)
	f.age(month)
	image := mustPages(f, id)[0].Blob
	require.NoError(t, f.records.HoldBlobs(t.Context(), "request", []core.BlobRef{image}))
	require.Equal(t, 1, f.sweptBy(s).TasksDeleted)
	_, err := f.blobs.Stat(t.Context(), image)
	require.NoError(t, err)
	taskCount, blobCount := f.left()
	require.Equal(t, []int{0, 1}, []int{taskCount, blobCount})
}

// What was paid outlives tasks and answers, for as long as it is to be kept itself.
func TestTheLedgerOutlivesTasks(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	id, running := f.accept(request(twoPages(t))).ID, f.accept(request(twoPages(t))).ID
	f.finish(id)
	f.paid(id, "a")
	f.paid(running, "b")
	f.age(2 * month)
	answered := func(key string) bool {
		_, found, err := f.records.LookupCall(ctx, key)
		require.NoError(t, err)
		return found
	}
	require.Equal(t, tasks.Swept{AnswersErased: 1}, f.sweptBy(f.keeping(tasks.Retention{Answers: month}, nil)))
	require.Equal(t, []bool{false, true}, []bool{answered("a"), answered("b")}, "a task that runs needs its answers")
	require.Equal(t, 1, f.sweptBy(f.keeping(tasks.Retention{Tasks: month, Calls: 3 * month}, nil)).TasksDeleted)
	usage, err := f.records.Usage(ctx, running)
	require.NoError(t, err)
	require.EqualValues(t, 7, usage.Actual.CostMicros)
	require.Equal(t, 2, f.count(`SELECT count(*) FROM model_call WHERE cost_micros = 7`))
	require.Equal(t, tasks.Swept{CallsDeleted: 1}, f.sweptBy(f.keeping(tasks.Retention{Calls: month}, nil)))
	require.Equal(t, 1, f.count(`SELECT count(*) FROM model_call`), "that of the task that runs")
}

func TestUploadsWaitAsLongAsTheyAreKept(t *testing.T) {
	f := open(t)
	s := f.keeping(tasks.Retention{Uploads: time.Hour}, nil)
	b := []byte("an upload")
	require.NoError(t, s.KeepUpload(t.Context(), tenant, refOf(b), upload("x", b)))
	f.sql(`UPDATE upload SET expires_at = expires_at - interval '59 minutes'`)
	require.Equal(t, tasks.Swept{}, f.sweptBy(s))
	f.sql(`UPDATE upload SET expires_at = expires_at - interval '1 minute'`)
	require.Equal(t, tasks.Swept{UploadsExpired: 1, BlobsRemoved: 1}, f.sweptBy(s))
}

func TestOldEventsAreRemoved(t *testing.T) {
	f := open(t)
	f.sql(`INSERT INTO event (tenant, task_id, type, data, created_at) SELECT 'acme', 'task', 'task.progress', '{}', now() - interval '25 hours'`)
	f.sql(`INSERT INTO event (tenant, task_id, type, data) SELECT 'acme', 'task', 'task.progress', '{}' FROM generate_series(1, 3)`)
	require.Equal(t, tasks.Swept{EventsRemoved: 1}, f.sweptBy(f.keeping(tasks.Retention{Events: 24 * time.Hour, MaxEvents: 3}, nil)))
	require.Equal(t, tasks.Swept{EventsRemoved: 1}, f.sweptBy(f.keeping(tasks.Retention{Events: 24 * time.Hour, MaxEvents: 2}, nil)))
	require.Equal(t, tasks.Swept{}, f.sweptBy(f.keeping(tasks.Retention{}, nil)))
}

func TestOldDeliveriesAreRemoved(t *testing.T) {
	f := open(t)
	registry := prometheus.NewRegistry()
	s := f.keeping(tasks.Retention{Deliveries: 24 * time.Hour}, tasks.NewMetrics(registry))
	for _, row := range []string{"'delivered', now() - interval '25 hours'", "'failed', now() - interval '23 hours'", "'pending', NULL"} {
		f.sql(`INSERT INTO webhook_delivery (tenant, url, task_id, type, data, created_at, started_at, status, ended_at)
			SELECT 'acme', 'https://a.example', 'task', 'task.ended', '{}', now() - interval '2 days', now() - interval '2 days', ` + row)
	}
	require.Equal(t, tasks.Swept{DeliveriesRemoved: 1}, f.sweptBy(s))
	families, err := registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == "plait_webhook_oldest_pending_seconds" {
			require.InDelta(t, (48 * time.Hour).Seconds(), family.GetMetric()[0].GetGauge().GetValue(), 60)
		}
	}
	f.sql(`UPDATE webhook_delivery SET started_at = now() - interval '74 hours' WHERE status = 'pending'`) // its workflow cannot run any more
	require.Equal(t, tasks.Swept{DeliveriesGivenUp: 1}, f.sweptBy(s))
	require.Equal(t, tasks.Swept{}, f.sweptBy(f.keeping(tasks.Retention{}, nil)))
}
