package comictasks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/tasks"
	comictasks "plait/tasks/comic"
	"plait/workflows"
)

// lettered ends a task of one page with one region.
func (f fixture) lettered(id string) {
	f.t.Helper()
	ctx := f.t.Context()
	require.NoError(f.t, f.records.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	page := mustPages(f, id)[0]
	run := records.StageRun{Item: page, Stage: comic.StagePage, Rank: comic.Rank(comic.StagePage), Attempt: 1, Mode: comic.ModeUnified}
	_, err := f.records.BeginStage(ctx, run)
	require.NoError(f.t, err)
	require.NoError(f.t, f.records.SaveDetect(ctx, run, comic.DetectOutput{Regions: []comic.Region{{Text: "はい"}}}))
	require.NoError(f.t, f.records.FinishPage(ctx, run, comic.PageOutput{Result: page.Blob, Mode: comic.ModeUnified}))
	_, err = f.records.FinishTask(ctx, core.FinishTaskInput{TaskID: id})
	require.NoError(f.t, err)
}

// Temporal is away: the edit is accepted all the same, and the sweeper starts it when Temporal is back.
func TestEditWithoutTemporal(t *testing.T) {
	f := open(t)
	away := openWith(t, dial(t, "127.0.0.1:1"))
	task := away.accept(comictasks.Request{To: "en", Request: tasks.Request{Tenant: tenant, Files: []tasks.Upload{upload("1.png", pagePNG(t, 1))}}})
	away.lettered(task.ID)
	p, err := away.chapters.Edit(t.Context(), away.task(task.ID), 0, "Ann", []comicrecords.RegionEdit{{Text: new("Yes")}})
	require.NoError(t, err)
	require.True(t, p.Edit.Pending())

	back := newService(tasks.Deps{Records: away.records.Store, Blobs: away.blobs, Temporal: f.temporal, Log: discard}, comictasks.Deps{})
	swept, err := back.Sweep(t.Context())
	require.NoError(t, err)
	require.Zero(t, swept.Edited, "too young to be swept")
	away.sql(`UPDATE comic_page SET edited_at = now() - interval '1 hour'`)
	swept, err = back.Sweep(t.Context())
	require.NoError(t, err)
	require.Equal(t, tasks.Swept{Edited: 1}, swept)
	require.Equal(t, workflows.StateRunning, f.state(task.ID+"/pages/0"))
}
