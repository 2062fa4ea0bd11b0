package api_test

import (
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	comicschema "plait/api/comic/schema"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
)

// chapterWithResult is the path of a chapter of one page that has a result, as workers leave it.
func (c caller) chapterWithResult() string {
	c.t.Helper()
	id, ctx := c.queuedID(), c.t.Context()
	store := comicrecords.New(c.records)
	item, err := store.Item(ctx, id, 0)
	require.NoError(c.t, err)
	require.NoError(c.t, store.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	run := records.StageRun{Item: item.Ref, Stage: comic.StageDetect, Rank: 1, Attempt: 1, Mode: comic.ModeSplit, Host: "host"}
	_, err = store.BeginStage(ctx, run)
	require.NoError(c.t, err)
	require.NoError(c.t, store.SaveDetect(ctx, run, comic.DetectOutput{Width: 100, Height: 200, FromLang: "ja"}))
	result := comic.PageOutput{Result: recordstest.BlobOf("result"), Mode: comic.ModeSplit}
	require.NoError(c.t, store.FinishPage(ctx, run, result))
	_, err = store.FinishTask(ctx, core.FinishTaskInput{TaskID: id})
	require.NoError(c.t, err)
	return comicschema.TaskPath(id)
}

// A region that the reading has missed is drawn, read, translated and lettered, and taken back.
func drawARegion(_ *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい")))).is(http.StatusAccepted).header.Get("Location")
	first := c.untilEnded(path).Pages[0]
	draw := func(body string) answer {
		return c.do(http.MethodPost, first.Links["regions"], strings.NewReader(body), "Content-Type: application/json")
	}
	var drawn comicschema.DrawnRegion
	draw(`{"area":[10,20,40,60]}`).is(http.StatusAccepted).into(&drawn)
	require.Equal(t, 1, drawn.Index)
	image := func() string { return enginetest.TextOf(c.get(first.Links["result"]).is(http.StatusOK).body) }
	const read = "読 [10 20 40 60]"
	lettered := "はい -> [はい]\n" + read + " -> [" + read + "]\n"
	require.Eventually(t, func() bool { return image() == lettered }, patience, 20*time.Millisecond)
	shown := c.untilShown(first.Links["self"])
	require.Equal(t, []any{read, "[" + read + "]", 2, comic.ReadingDone},
		[]any{shown.Texts[1].Source, shown.Texts[1].Translation, shown.Regions, shown.Texts[1].Drawn})
	c.edit(first, `{"regions":[{"region_index":1,"deleted":true}]}`).is(http.StatusAccepted)
	c.untilShown(first.Links["self"])
	require.NotContains(t, image(), "["+read+"]")

	for body, what := range map[string]string{
		`{}`:                            "field area is missing",
		`{"area":[0,0,0,0]}`:            "field area is missing",
		`{"area":[0,0,5,50]}`:           "at least 8 pixels wide and high",
		`{"area":[0,0,50,1000]}`:        "beyond the page, which has 100 x 200 pixels",
		`{"area":[0,0,50,50],"text":1}`: "text",
	} {
		draw(body).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
}
