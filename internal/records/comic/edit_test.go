package comicrecords_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
)

// finished is a task of one page of two regions that has a result.
func (f fixture) finished() core.Item {
	f.T.Helper()
	ctx := f.T.Context()
	page := f.running(1).Items[0]
	for _, stage := range []core.Stage{comic.StageDetect, comic.StageTranslate, comic.StageRender} {
		run := runOf(page, stage, 1)
		f.Begin(run)
		switch stage {
		case comic.StageDetect:
			require.NoError(f.T, f.SaveDetect(ctx, run, comic.DetectOutput{Regions: regions("はい", "いいえ")}))
		case comic.StageTranslate:
			require.NoError(f.T, f.SaveTranslations(ctx, run, translated("Yes", "No")))
		default:
			require.NoError(f.T, f.FinishPage(ctx, run, resultOf(page, comic.ModeSplit)))
		}
	}
	_, err := f.FinishTask(ctx, core.FinishTaskInput{TaskID: page.TaskID})
	require.NoError(f.T, err)
	return page
}

func (f fixture) edit(page core.Item, author, text string) comicrecords.Page {
	f.T.Helper()
	p, err := f.EditPage(f.T.Context(), page.Tenant, page.TaskID, page.Index, author, []comicrecords.RegionEdit{{Index: 1, Text: new(text)}})
	require.NoError(f.T, err)
	return p
}

func TestAnEditIsOneHoweverOftenItComes(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.finished()
	require.Nil(t, f.page(page).Edit)
	p := f.edit(page, "Ann", "No way!")
	require.True(t, p.Edit.Pending())
	require.Equal(t, 1, p.Edit.Revision)
	again := f.edit(page, "Bob", "No way!")
	require.Equal(t, p.Edit, again.Edit)
	list, err := f.Edits(ctx, page.Tenant, page.Blob, "en")
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, comicrecords.Region{
		Index: 1, Box: [4]float64{100, 10, 150, 40}, Source: "いいえ", Translation: "No way!",
		EditedBy: "Ann", EditedAt: list[0].EditedAt,
	}, list[0], "who said it first")
	require.Equal(t, p.Edit.At, *list[0].EditedAt)
	shown, err := f.Regions(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Nil(t, shown[0].EditedAt)
	require.Equal(t, []any{"Ann", list[0].EditedAt}, []any{shown[1].EditedBy, shown[1].EditedAt})
	translations, err := f.Translations(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 0, Text: "Yes"}, {Index: 1, Text: "No way!"}}, translations)
	require.Equal(t, []string{"openai", "edit"}, f.Rows(`SELECT provider FROM comic_region ORDER BY region_index`))

	out := comic.PageOutput{Result: recordstest.BlobOf("edited"), OutputChanged: true}
	for range 2 {
		require.NoError(t, f.FinishEdit(ctx, page, 1, out))
	}
	p = f.page(page)
	require.False(t, p.Edit.Pending())
	require.Equal(t, out.Result, p.Result)
	require.Equal(t, f.edit(page, "Bob", "No way!").Edit, p.Edit, "what the page says is no edit")
	require.Equal(t, "Ann", f.Rows(`SELECT author FROM comic_edit`)[0])

	// What is replaced goes with the next sweep, and a late result of an earlier edit is not written.
	require.Equal(t, []string{string(resultOf(page, comic.ModeSplit).Result)}, f.Rows(`SELECT blob FROM blob_lease`))
	require.NoError(t, f.FinishEdit(ctx, page, 1, comic.PageOutput{Result: recordstest.BlobOf("late")}))
	require.Equal(t, out.Result, f.page(page).Result)
}

func TestEditsThatWaitOrFail(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.finished()
	f.edit(page, "Ann", "One")
	f.edit(page, "Ann", "Two")
	waiting, err := f.UnrenderedEdits(ctx, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []core.Item{page}, waiting)
	waiting, err = f.UnrenderedEdits(ctx, time.Hour, 10)
	require.NoError(t, err)
	require.Empty(t, waiting)

	require.NoError(t, f.FinishEdit(ctx, page, 1, comic.PageOutput{Result: recordstest.BlobOf("one")}))
	require.True(t, f.page(page).Edit.Pending(), "the second is still to come")
	require.NoError(t, f.FailEdit(ctx, page, core.Failure{Code: core.CodeDevice, Message: "no device"}))
	p := f.page(page)
	require.Equal(t, core.CodeDevice, p.Edit.Failure.Code)
	require.False(t, p.Edit.Pending())
	require.Equal(t, recordstest.BlobOf("one"), p.Result)
	waiting, err = f.UnrenderedEdits(ctx, 0, 10)
	require.NoError(t, err)
	require.Empty(t, waiting)

	require.True(t, f.edit(page, "Ann", "Two").Edit.Pending(), "the same edit tries again")
	require.NoError(t, f.FinishEdit(ctx, page, 3, comic.PageOutput{Result: recordstest.BlobOf("two")}))
	require.Nil(t, f.page(page).Edit.Failure)
}

func TestWhatCannotBeEdited(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.finished()
	edit := func(tenant, task string, index, region int) error {
		_, err := f.EditPage(ctx, tenant, task, index, "Ann", []comicrecords.RegionEdit{{Index: region, Text: new("x")}})
		return err
	}
	require.Equal(t, core.CodeNotFound, core.CodeOf(edit("other", page.TaskID, 0, 0)))
	require.Equal(t, core.CodeNotFound, core.CodeOf(edit(page.Tenant, page.TaskID, 1, 0)))
	require.Equal(t, core.CodeInvalidInput, core.CodeOf(edit(page.Tenant, page.TaskID, 0, 2)))
	unfinished := f.running(1).Items[0]
	require.Equal(t, core.CodeConflict, core.CodeOf(edit(unfinished.Tenant, unfinished.TaskID, 0, 0)))
	require.Nil(t, f.page(page).Edit)
}

// Edits are of the image: they stay as long as the tenant has it in a task.
func TestEditsGoWithTheLastTaskOfTheirImage(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	first, second := f.finished(), f.finished()
	f.SQL(`UPDATE item SET blob = $1 WHERE task_id = $2`, first.Blob, second.TaskID)
	f.edit(first, "Ann", "No way!")
	for _, left := range []struct {
		task  core.Item
		edits int
	}{{first, 1}, {second, 0}} {
		_, err := f.DeleteTask(ctx, tenant, left.task.TaskID, comicrecords.DropEdits(tenant, left.task.TaskID))
		require.NoError(t, err)
		list, err := f.Edits(ctx, tenant, first.Blob, "en")
		require.NoError(t, err)
		require.Len(t, list, left.edits)
	}
}

// Two people edit a page: the second sees that the text is another by now, and nothing is lost.
func TestAnEditOfWhatSomebodyElseHasChanged(t *testing.T) {
	f := open(t)
	page := f.finished()
	edit := func(author, text, expected string) error {
		_, err := f.EditPage(t.Context(), page.Tenant, page.TaskID, page.Index, author,
			[]comicrecords.RegionEdit{{Index: 0, Text: new("Yes")}, {Index: 1, Text: new(text), Expected: &expected}})
		return err
	}
	require.NoError(t, edit("Ann", "No way!", "No"))
	recordstest.RequireCode(t, core.CodeConflict, edit("Bob", "Never!", "No"))
	require.NoError(t, edit("Bob", "No way!", "No"), "what the region says is no change")
	require.NoError(t, edit("Bob", "Never!", "No way!"))
	require.Equal(t, []string{"Never!"}, f.Rows(`SELECT translation FROM comic_region WHERE region_index = 1`))
}

// Clients that follow a task hear of an edit, and again once the result shows it.
func TestTheLogTellsOfEdits(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.finished()
	before, err := f.LastEvent(ctx, page.TaskID)
	require.NoError(t, err)
	f.edit(page, "Ann", "One")
	f.edit(page, "Ann", "One") // changes nothing
	require.NoError(t, f.FailEdit(ctx, page, core.Failure{Code: core.CodeDevice, Message: "no device"}))
	require.NoError(t, f.FinishEdit(ctx, page, 1, comic.PageOutput{Result: recordstest.BlobOf("one")}))
	log, err := f.Events(ctx, records.EventFilter{Tenant: page.Tenant, TaskID: page.TaskID}, before, 10)
	require.NoError(t, err)
	require.Len(t, log.Events, 3)
	for _, e := range log.Events {
		require.Equal(t, "task.edited", e.Type)
		require.Contains(t, string(e.Data), `"item": {"index": 0, "status": "success"}`)
		require.Contains(t, string(e.Data), `"status": "success"`)
	}
}
