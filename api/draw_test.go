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
	"plait/internal/raster"
	"plait/internal/records"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
)

// chapterWithResult is the path of a chapter of one page of these texts that has a result, as workers leave it.
func (c caller) chapterWithResult(texts ...string) string {
	c.t.Helper()
	id, ctx := c.queuedID(), c.t.Context()
	store := comicrecords.New(c.records)
	item, err := store.Item(ctx, id, 0)
	require.NoError(c.t, err)
	require.NoError(c.t, store.StartTask(ctx, core.StartTaskInput{TaskID: id}))
	var found []comic.Region
	for i, text := range texts {
		found = append(found, comic.Region{Index: i, Text: text, Texts: []string{text}, Lines: []raster.Quad{comic.Area{0, 0, 90, 20}.Quad()}, Direction: comic.Horizontal})
	}
	run := records.StageRun{Item: item.Ref, Stage: comic.StageDetect, Rank: 1, Attempt: 1, Mode: comic.ModeSplit, Host: "host"}
	_, err = store.BeginStage(ctx, run)
	require.NoError(c.t, err)
	require.NoError(c.t, store.SaveDetect(ctx, run, comic.DetectOutput{Width: 100, Height: 200, FromLang: "ja", Regions: found}))
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

// Regions are joined, moved and divided, and the page, its script and its image follow; each is taken back.
func arrangeRegions(_ *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい", "いいえ", "後で")))).is(http.StatusAccepted).header.Get("Location")
	task := c.untilEnded(path)
	first := task.Pages[0]
	image := func() string {
		c.untilShown(first.Links["self"])
		return enginetest.TextOf(c.get(first.Links["result"]).is(http.StatusOK).body)
	}
	c.edit(first, `{"regions":[{"region_index":0,"translation":"Yes No"},{"region_index":1,"joined_into":0},{"region_index":2,"place":0.5}]}`).is(http.StatusAccepted)
	require.Equal(t, "はいいいえ -> Yes No\nいいえ -> absent\n後で -> [後で]\n", image())
	shown := c.get(first.Links["self"]).is(http.StatusOK).page()
	require.Equal(t, []any{"はいいいえ", 0, 0.5}, []any{shown.Texts[0].Source, *shown.Texts[1].JoinedInto, shown.Texts[2].Place})
	require.Greater(t, shown.Texts[0].Box[3], shown.Texts[1].Box[1], "the areas are united")
	sources := func() (list []string) {
		var script struct {
			Pages []struct{ Regions []struct{ Source string } }
		}
		c.get(task.Links["script"]).is(http.StatusOK).into(&script)
		for _, r := range script.Pages[0].Regions {
			list = append(list, r.Source)
		}
		return list
	}
	require.Equal(t, []string{"後で", "はいいいえ"}, sources())

	split := func(body string) answer {
		return c.do(http.MethodPost, first.Links["regions"]+"/split", strings.NewReader(body), "Content-Type: application/json")
	}
	var second comicschema.DrawnRegion
	split(`{"region_index":0,"at":1,"translation_at":3,"expected":"Yes No"}`).is(http.StatusAccepted).into(&second)
	require.Equal(t, 3, second.Index)
	require.Equal(t, "は -> Yes\nいいえ -> absent\n後で -> [後で]\nいいいえ -> No\n", image())
	require.Equal(t, []string{"後で", "は", "いいいえ"}, sources())
	split(`{"region_index":3,"at":1,"expected":"No"}`).is(http.StatusAccepted).into(&second)
	require.Equal(t, 1, second.Index, "what was joined is parted")
	require.Equal(t, []string{"後で", "は", "い", "いいえ"}, sources())

	// Back to how it was found.
	c.edit(first, `{"regions":[{"region_index":0,"cut":0},{"region_index":1,"joined_into":-1},{"region_index":2,"place":0},{"region_index":3,"deleted":true}]}`).is(http.StatusAccepted)
	require.Equal(t, []string{"はい", "いいえ", "後で"}, sources())
	require.Equal(t, 4, c.get(first.Links["self"]).is(http.StatusOK).page().Regions, "what was taken back keeps its index")

	for body, what := range map[string]string{
		`{"region_index":0,"expected":"Yes"}`:                "give region_index, expected, and at or translation_at",
		`{"region_index":9,"at":1,"expected":""}`:            "out of range",
		`{"region_index":2,"at":2,"expected":"[後で]"}`:        "no text on both sides",
		`{"region_index":0,"at":1,"expected":"","more":"a"}`: "more",
	} {
		split(body).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	split(`{"region_index":2,"at":1,"expected":"Later"}`).refused(http.StatusConflict, core.CodeConflict, "another translation")
	c.edit(first, `{"regions":[{"region_index":0,"joined_into":0}]}`).refused(http.StatusBadRequest, core.CodeInvalidInput, "into itself")
	c.edit(first, `{"regions":[{"region_index":0,"joined_into":8}]}`).refused(http.StatusBadRequest, core.CodeInvalidInput, "out of range")
}

// A model gives other translations of a region; what is no such request is refused.
func askForAlternatives(_ *world, c caller) {
	t := c.t
	path := c.post(toEnglish(image("1.png", page(t, "はい")))).is(http.StatusAccepted).header.Get("Location")
	first := c.untilEnded(path).Pages[0]
	ask := func(body string) answer {
		return c.do(http.MethodPost, first.Links["regions"]+"/alternatives", strings.NewReader(body), "Content-Type: application/json")
	}
	ask(`{"region_index":0,"count":2}`).is(http.StatusAccepted)
	var shown comicschema.Page
	require.Eventually(t, func() bool {
		shown = c.get(first.Links["self"]).is(http.StatusOK).page()
		return shown.Texts[0].Alternatives != nil
	}, patience, 20*time.Millisecond)
	require.Equal(t, []string{"[[はい]]", "[[[はい]]]"}, shown.Texts[0].Alternatives.Texts)
	require.Equal(t, "[はい]", shown.Texts[0].Translation)
	for body, what := range map[string]string{
		`{}`:                           "field region_index is missing",
		`{"region_index":0,"count":0}`: "from 1 to 8",
		`{"region_index":0,"count":9}`: "from 1 to 8",
	} {
		ask(body).refused(http.StatusBadRequest, core.CodeInvalidInput, what)
	}
	ask(`{"region_index":5}`).refused(http.StatusNotFound, core.CodeNotFound, "no region 5")
}
