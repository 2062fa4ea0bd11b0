package comicrecords_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/stack/stacktest"
)

func TestMain(m *testing.M) { stacktest.Main(m) }

const tenant = recordstest.Tenant

type fixture struct {
	comicrecords.Store
	recordstest.Fixture
}

func open(t *testing.T) fixture {
	t.Helper()
	t.Parallel()
	store, f := recordstest.NewFixture(t)
	return fixture{comicrecords.New(store), f}
}

func newTask(n int) records.NewTask {
	return recordstest.NewTask(comic.Kind, comic.Options{From: "ja", To: "en", Mode: comic.ModeSplit}.JSON(), n)
}

func (f fixture) running(n int) records.NewTask { return f.Running(newTask(n)) }

func (f fixture) page(ref core.Item) comicrecords.Page {
	f.T.Helper()
	page, err := f.Page(f.T.Context(), ref.TaskID, ref.Index)
	require.NoError(f.T, err)
	return page
}

func runOf(page core.Item, stage core.Stage, attempt int) records.StageRun {
	return records.StageRun{Item: page, Stage: stage, Rank: comic.Rank(stage), Attempt: attempt, Mode: comic.ModeSplit, Host: "gpu-1"}
}

// fallbackOf is the first attempt at the whole of a page that lost its detect context.
func fallbackOf(page core.Item) records.StageRun {
	return records.StageRun{
		Item: page, Stage: comic.StagePage, Rank: comic.Rank(comic.StagePage), FailureStage: comic.StageFallback, Attempt: 1, Mode: comic.ModeFallback,
	}
}

func (f fixture) counts(taskID string) comicrecords.Counts {
	f.T.Helper()
	counts, err := f.Counts(f.T.Context(), taskID)
	require.NoError(f.T, err)
	return counts[taskID]
}

// finish takes a page through render.
func (f fixture) finish(page core.Item) {
	f.T.Helper()
	run := runOf(page, comic.StageRender, 1)
	f.Begin(run)
	require.NoError(f.T, f.FinishPage(f.T.Context(), run, resultOf(page, comic.ModeSplit)))
}

func resultOf(page core.Item, mode core.Mode) comic.PageOutput {
	return comic.PageOutput{
		Result: recordstest.BlobOf("result of " + page.String()), Mode: mode, OutputChanged: true, Regions: 2,
		Missing: "ᚠ", Elapsed: core.ElapsedMS{"render": 12, "total": 15},
	}
}
