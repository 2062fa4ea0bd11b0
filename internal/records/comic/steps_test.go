package comicrecords_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/raster"
	comicrecords "plait/internal/records/comic"
	"plait/internal/records/recordstest"
	"plait/internal/translate/glossary"
)

func regions(texts ...string) []comic.Region {
	var list []comic.Region
	for i, text := range texts {
		x := float64(100 * i)
		list = append(list, comic.Region{
			Index: i, Text: text, Texts: []string{text}, Kind: comic.KindDialogue,
			Lines:    []raster.Quad{{{x, 10}, {x + 50, 10}, {x + 50, 40}, {x, 40}}},
			FontSize: 24, Direction: comic.Vertical, Alignment: comic.AlignCenter, SourceLang: "ja", TargetLang: "en", Prob: 0.5,
			FG: raster.RGB{0, 0, 0}, BG: raster.RGB{255, 255, 255},
		})
	}
	return list
}

func translated(texts ...string) comic.TranslateOutput {
	out := comic.TranslateOutput{Provider: "openai", Model: "m1", Elapsed: core.ElapsedMS{"total": 700}}
	for i, text := range texts {
		out.Translations = append(out.Translations, core.Translation{Index: i, Text: text})
	}
	return out
}

// A page goes its whole way, every step twice, and the records hold each thing once.
func TestStepsRunTwice(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	detect, translate, render := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageTranslate, 1), runOf(page, comic.StageRender, 1)
	for range 2 {
		f.Begin(detect)
		require.NoError(t, f.SaveDetect(ctx, detect, comic.DetectOutput{
			Width: 800, Height: 1200, FromLang: "ja", Regions: regions("はい", "いいえ"), Elapsed: core.ElapsedMS{"ocr": 5, "total": 9},
		}))
		f.Begin(translate)
		require.NoError(t, f.SaveTranslations(ctx, translate, translated("Yes", "No")))
		require.NoError(t, f.SaveTranslations(ctx, translate, translated("Yes", "No")))
	}
	f.Begin(render)
	for range 2 {
		require.NoError(t, f.FinishPage(ctx, render, resultOf(page, comic.ModeSplit)))
	}

	var again comicrecords.Page
	_, err := f.BeginStage(ctx, render, comicrecords.ReadPage(page, &again))
	require.NoError(t, err)
	require.Equal(t, resultOf(page, comic.ModeSplit), again.Output(), "a step that runs again finds what it made")

	got := f.page(page)
	require.Equal(t, page, got.Ref)
	require.Equal(t, core.StatusSuccess, got.Status)
	require.Equal(t, []any{800, 1200, "ja", 2, "openai", "m1"}, []any{got.Width, got.Height, got.FromLang, got.Regions, got.Provider, got.Model})
	require.Equal(t, 1, f.TaskOf(page.TaskID).SuccessCount)
	list, err := f.Regions(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, comicrecords.Region{Index: 1, Box: [4]float64{100, 10, 150, 40}, Direction: comic.Vertical, Kind: comic.KindDialogue, Source: "いいえ", Translation: "No"}, list[1])
	require.Equal(t, []string{"0 はい Yes 0 10 50 40 v en openai m1", "1 いいえ No 100 10 150 40 v en openai m1"},
		f.Rows(`SELECT region_index, source, translation, x0, y0, x1, y1, direction, target_lang, provider, model FROM comic_region ORDER BY 1`))
	require.Equal(t, []string{"detect 1 success 9 gpu-1", "render 1 success 15 gpu-1", "translate 1 success 700 gpu-1"},
		f.Rows(`SELECT stage, attempt, outcome, elapsed_ms ->> 'total', host FROM stage_run ORDER BY stage`))
}

func TestDetectAgain(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	run := runOf(page, comic.StageDetect, 1)
	f.Begin(run)
	require.NoError(t, f.SaveDetect(ctx, run, comic.DetectOutput{Regions: regions("一", "二", "三")}))
	f.Begin(runOf(page, comic.StageTranslate, 1))
	require.NoError(t, f.SaveTranslations(ctx, runOf(page, comic.StageTranslate, 1), translated("one", "two", "three")))

	// On another host the second region reads differently, and the third is not found.
	again := fallbackOf(page)
	f.Begin(again)
	require.NoError(t, f.SaveDetect(ctx, again, comic.DetectOutput{Regions: regions("一", "土")}))
	require.Equal(t, []string{"一 one m1", "土"}, f.Rows(`SELECT source, translation, model FROM comic_region ORDER BY region_index`))
	require.Equal(t, []string{"running"}, f.Rows(`SELECT outcome FROM stage_run WHERE stage = 'page'`), "detect within page does not end page")
	translations, err := f.Translations(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Nil(t, translations, "one region has no translation")
	require.NoError(t, f.SaveTranslations(ctx, again, translated("one", "soil\x00\xff")))
	translations, err = f.Translations(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Equal(t, []core.Translation{{Index: 0, Text: "one"}, {Index: 1, Text: "soil\uFFFD"}}, translations)
}

// An attempt that was given up, and another took its place, changes nothing any more.
func TestZombieWritesNothing(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Items[0]
	first, second := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageDetect, 2)
	f.Begin(first)
	f.Begin(second)
	recordstest.RequireCode(t, core.CodeConflict, f.SaveDetect(ctx, first, comic.DetectOutput{Regions: regions("zombie")}))
	require.NoError(t, f.SaveDetect(ctx, second, comic.DetectOutput{Regions: regions("live")}))
	recordstest.RequireCode(t, core.CodeConflict, f.SaveDetect(ctx, first, comic.DetectOutput{Regions: regions("zombie")}))
	require.Equal(t, []string{"live"}, f.Rows(`SELECT source FROM comic_region`))

	render := runOf(page, comic.StageRender, 1)
	fallback := fallbackOf(page)
	f.Begin(render)
	f.Begin(fallback)
	recordstest.RequireCode(t, core.CodeConflict, f.FinishPage(ctx, render, resultOf(page, comic.ModeSplit)))
	require.NoError(t, f.EndStage(ctx, render, core.CodeInternal, "", nil))
	require.NoError(t, f.FinishPage(ctx, fallback, resultOf(page, comic.ModeFallback)))
	require.NoError(t, f.FailItem(ctx, page, comic.ModeFallback, core.Failure{Stage: comic.StageFallback, Code: core.CodeInternal}))
	recordstest.RequireCode(t, core.CodeConflict, f.SaveTranslations(ctx, fallback, translated("late")))

	require.Equal(t, core.StatusSuccess, f.page(page).Status)
	task := f.TaskOf(page.TaskID)
	require.Equal(t, []int{1, 0, 1}, []int{task.SuccessCount, task.FailedCount, f.counts(page.TaskID).Fallbacks})
	require.Equal(t, []string{"detect 1 superseded HOST_LOST", "detect 2 success", "page 1 success", "render 1 superseded HOST_LOST"},
		f.Rows(`SELECT stage, attempt, outcome, code FROM stage_run ORDER BY stage, attempt`))
}

func TestFailPage(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	pages := f.running(2).Items
	failure := core.Failure{Stage: comic.StageDetect, Code: core.CodeInvalidImage, Message: "not an image"}
	run := runOf(pages[0], comic.StageDetect, 1)
	f.Begin(run)
	for range 2 {
		require.NoError(t, f.FailItem(ctx, pages[0], comic.ModeSplit, failure))
	}
	recordstest.RequireCode(t, core.CodeConflict, f.SaveDetect(ctx, run, comic.DetectOutput{}))
	got, err := f.BeginStage(ctx, runOf(pages[0], comic.StageDetect, 2))
	require.NoError(t, err)
	require.Equal(t, &failure, got.Failure)
	require.Equal(t, core.StatusError, got.Status)
	require.Equal(t, []string{"1 failure INVALID_IMAGE"}, f.Rows(`SELECT attempt, outcome, code FROM stage_run`), "nothing begins on an ended page")

	require.NoError(t, f.FailItem(ctx, pages[1], comic.ModeSplit, core.Failure{Code: core.CodeCanceled}))
	require.Equal(t, core.StatusCanceled, f.page(pages[1]).Status)
	require.Equal(t, 2, f.TaskOf(pages[0].TaskID).FailedCount)
}

func TestStepsOfADeletedTask(t *testing.T) {
	f := open(t)
	page := newTask(1).Items[0]
	run := runOf(page, comic.StageDetect, 1)
	_, err := f.BeginStage(t.Context(), run)
	recordstest.RequireCode(t, core.CodeNotFound, err)
	recordstest.RequireCode(t, core.CodeConflict, f.SaveDetect(t.Context(), run, comic.DetectOutput{}))
	require.NoError(t, f.FailItem(t.Context(), page, comic.ModeSplit, core.Failure{Code: core.CodeInternal}))
	require.Empty(t, f.Rows(`SELECT * FROM stage_run`))
}

func TestEndStage(t *testing.T) {
	f := open(t)
	page := f.running(1).Items[0]
	run := runOf(page, comic.StageDetect, 1)
	f.Begin(run)
	require.NoError(t, f.EndStage(t.Context(), run, core.CodeDevice, "", core.ElapsedMS{"decode": 3}))
	require.NoError(t, f.EndStage(t.Context(), run, "", "", nil), "ended already")
	require.Equal(t, []string{`failure DEVICE_FAILED {"decode": 3}`}, f.Rows(`SELECT outcome, code, elapsed_ms FROM stage_run`))
}

func TestPreviousPagesAndScript(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	pages := f.running(5).Items
	for i, page := range pages {
		detect, translate := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageTranslate, 1)
		texts := []string{"a", "b"}
		if i == 2 {
			texts = nil
		}
		found := regions(texts...)
		if i == 3 {
			found[1].Texts, found[1].Text, found[1].Emphasized = []string{"b", "c"}, "b c", []int{1}
		}
		f.Begin(detect)
		require.NoError(t, f.SaveDetect(ctx, detect, comic.DetectOutput{Regions: found}))
		f.Begin(translate)
		if i != 4 {
			require.NoError(t, f.SaveTranslations(ctx, translate, translated("A", "")))
		}
	}
	prompt, err := f.PromptContext(ctx, pages[4], "en", 2)
	require.NoError(t, err)
	require.Equal(t, []comicrecords.PageText{
		{Index: 1, Name: "002.png", Pairs: []comicrecords.Pair{{Source: "a", Translation: "A"}}},
		{Index: 3, Name: "004.png", Pairs: []comicrecords.Pair{{Source: "a", Translation: "A"}}},
	}, prompt.Before, "the nearest with text, in page order; regions left as drawn say nothing")

	pairs, err := f.Pairs(ctx, pages[0].TaskID)
	require.NoError(t, err)
	require.Len(t, pairs, 8)
	require.Equal(t, []glossary.Pair{{Source: "a", Translation: "A"}, {Source: "b"}}, pairs[:2])
	require.Equal(t, []glossary.Pair{{Source: "a"}, {Source: "b"}}, pairs[6:], "nothing is translated there yet")

	script, err := f.Script(ctx, pages[0].TaskID)
	require.NoError(t, err)
	require.Len(t, script, 5)
	require.Empty(t, script[2].Regions)
	require.Equal(t, "b <em>c</em>", script[3].Regions[1].Source)
	require.Equal(t, comicrecords.PageScript{Index: 4, Name: "005.png", Regions: []comicrecords.RegionText{{Index: 0, Source: "a"}, {Index: 1, Source: "b"}}}, script[4])
}
