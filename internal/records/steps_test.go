package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
	"plait/internal/records"
)

func regions(texts ...string) []pipeline.Region {
	var list []pipeline.Region
	for i, text := range texts {
		x := float64(100 * i)
		list = append(list, pipeline.Region{
			Index: i, Text: text, Texts: []string{text}, Kind: pipeline.KindDialogue,
			Lines:    []pipeline.Quad{{{x, 10}, {x + 50, 10}, {x + 50, 40}, {x, 40}}},
			FontSize: 24, Direction: pipeline.Vertical, Alignment: pipeline.AlignCenter, SourceLang: "ja", TargetLang: "en", Prob: 0.5,
			FG: pipeline.RGB{0, 0, 0}, BG: pipeline.RGB{255, 255, 255},
		})
	}
	return list
}

func translated(texts ...string) pipeline.TranslateOutput {
	out := pipeline.TranslateOutput{Provider: "openai", Model: "m1", Elapsed: pipeline.ElapsedMS{"total": 700}}
	for i, text := range texts {
		out.Translations = append(out.Translations, pipeline.Translation{Index: i, Text: text})
	}
	return out
}

// A page goes its whole way, every step twice, and the records hold each thing once.
func TestStepsRunTwice(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Pages[0]
	detect, translate, render := runOf(page, pipeline.StageDetect, 1), runOf(page, pipeline.StageTranslate, 1), runOf(page, pipeline.StageRender, 1)
	for range 2 {
		f.begin(detect)
		require.NoError(t, f.SaveDetect(ctx, detect, pipeline.DetectOutput{
			Width: 800, Height: 1200, FromLang: "ja", Regions: regions("はい", "いいえ"), Elapsed: pipeline.ElapsedMS{"ocr": 5, "total": 9},
		}))
		f.begin(translate)
		require.NoError(t, f.SaveTranslations(ctx, translate, translated("Yes", "No")))
		require.NoError(t, f.SaveTranslations(ctx, translate, translated("Yes", "No")))
	}
	f.begin(render)
	for range 2 {
		require.NoError(t, f.FinishPage(ctx, render, resultOf(page, pipeline.ModeSplit)))
	}

	again, err := f.BeginStage(ctx, render)
	require.NoError(t, err)
	require.Equal(t, resultOf(page, pipeline.ModeSplit), again.Output(), "a step that runs again finds what it made")

	got := f.page(page)
	require.Equal(t, page, got.Ref)
	require.Equal(t, pipeline.StatusSuccess, got.Status)
	require.Equal(t, []any{800, 1200, "ja", 2, "openai", "m1"}, []any{got.Width, got.Height, got.FromLang, got.Regions, got.Provider, got.Model})
	require.Equal(t, 1, f.task(page.TaskID).SuccessCount)
	list, err := f.Regions(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, records.Region{Index: 1, Box: [4]float64{100, 10, 150, 40}, Direction: pipeline.Vertical, Source: "いいえ", Translation: "No"}, list[1])
	require.Equal(t, []string{"0 はい Yes 0 10 50 40 v en openai m1", "1 いいえ No 100 10 150 40 v en openai m1"},
		f.rows(`SELECT region_index, source, translation, x0, y0, x1, y1, direction, target_lang, provider, model FROM region ORDER BY 1`))
	require.Equal(t, []string{"detect 1 success 9 gpu-1", "render 1 success 15 gpu-1", "translate 1 success 700 gpu-1"},
		f.rows(`SELECT stage, attempt, outcome, elapsed_ms ->> 'total', host FROM stage_run ORDER BY stage`))
}

func TestDetectAgain(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Pages[0]
	run := runOf(page, pipeline.StageDetect, 1)
	f.begin(run)
	require.NoError(t, f.SaveDetect(ctx, run, pipeline.DetectOutput{Regions: regions("一", "二", "三")}))
	f.begin(runOf(page, pipeline.StageTranslate, 1))
	require.NoError(t, f.SaveTranslations(ctx, runOf(page, pipeline.StageTranslate, 1), translated("one", "two", "three")))

	// On another host the second region reads differently, and the third is not found.
	again := records.StageRun{Page: page, Stage: pipeline.StagePage, Attempt: 1, Mode: pipeline.ModeFallback}
	f.begin(again)
	require.NoError(t, f.SaveDetect(ctx, again, pipeline.DetectOutput{Regions: regions("一", "土")}))
	require.Equal(t, []string{"一 one m1", "土"}, f.rows(`SELECT source, translation, model FROM region ORDER BY region_index`))
	require.Equal(t, []string{"running"}, f.rows(`SELECT outcome FROM stage_run WHERE stage = 'page'`), "detect within page does not end page")
	translations, err := f.Translations(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Nil(t, translations, "one region has no translation")
	require.NoError(t, f.SaveTranslations(ctx, again, translated("one", "soil\x00\xff")))
	translations, err = f.Translations(ctx, page.TaskID, 0)
	require.NoError(t, err)
	require.Equal(t, []pipeline.Translation{{Index: 0, Text: "one"}, {Index: 1, Text: "soil\uFFFD"}}, translations)
}

// An attempt that was given up, and another took its place, changes nothing any more.
func TestZombieWritesNothing(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(1).Pages[0]
	first, second := runOf(page, pipeline.StageDetect, 1), runOf(page, pipeline.StageDetect, 2)
	f.begin(first)
	f.begin(second)
	requireCode(t, pipeline.CodeConflict, f.SaveDetect(ctx, first, pipeline.DetectOutput{Regions: regions("zombie")}))
	require.NoError(t, f.SaveDetect(ctx, second, pipeline.DetectOutput{Regions: regions("live")}))
	requireCode(t, pipeline.CodeConflict, f.SaveDetect(ctx, first, pipeline.DetectOutput{Regions: regions("zombie")}))
	require.Equal(t, []string{"live"}, f.rows(`SELECT source FROM region`))

	render := runOf(page, pipeline.StageRender, 1)
	fallback := records.StageRun{Page: page, Stage: pipeline.StagePage, Attempt: 1, Mode: pipeline.ModeFallback}
	f.begin(render)
	f.begin(fallback)
	requireCode(t, pipeline.CodeConflict, f.FinishPage(ctx, render, resultOf(page, pipeline.ModeSplit)))
	require.NoError(t, f.EndStage(ctx, render, pipeline.CodeInternal, "", nil))
	require.NoError(t, f.FinishPage(ctx, fallback, resultOf(page, pipeline.ModeFallback)))
	require.NoError(t, f.FailPage(ctx, page, pipeline.ModeFallback, pipeline.Failure{Stage: pipeline.StageFallback, Code: pipeline.CodeInternal}))
	requireCode(t, pipeline.CodeConflict, f.SaveTranslations(ctx, fallback, translated("late")))

	require.Equal(t, pipeline.StatusSuccess, f.page(page).Status)
	task := f.task(page.TaskID)
	require.Equal(t, []int{1, 0, 1}, []int{task.SuccessCount, task.FailedCount, task.FallbackCount})
	require.Equal(t, []string{"detect 1 superseded HOST_LOST", "detect 2 success", "page 1 success", "render 1 superseded HOST_LOST"},
		f.rows(`SELECT stage, attempt, outcome, code FROM stage_run ORDER BY stage, attempt`))
}

func TestFailPage(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	pages := f.running(2).Pages
	failure := pipeline.Failure{Stage: pipeline.StageDetect, Code: pipeline.CodeInvalidImage, Message: "not an image"}
	run := runOf(pages[0], pipeline.StageDetect, 1)
	f.begin(run)
	for range 2 {
		require.NoError(t, f.FailPage(ctx, pages[0], pipeline.ModeSplit, failure))
	}
	requireCode(t, pipeline.CodeConflict, f.SaveDetect(ctx, run, pipeline.DetectOutput{}))
	got, err := f.BeginStage(ctx, runOf(pages[0], pipeline.StageDetect, 2))
	require.NoError(t, err)
	require.Equal(t, &failure, got.Failure)
	require.Equal(t, pipeline.StatusError, got.Status)
	require.Equal(t, []string{"1 failure INVALID_IMAGE"}, f.rows(`SELECT attempt, outcome, code FROM stage_run`), "nothing begins on an ended page")

	require.NoError(t, f.FailPage(ctx, pages[1], pipeline.ModeSplit, pipeline.Failure{Code: pipeline.CodeCanceled}))
	require.Equal(t, pipeline.StatusCanceled, f.page(pages[1]).Status)
	require.Equal(t, 2, f.task(pages[0].TaskID).FailedCount)
}

func TestStepsOfADeletedTask(t *testing.T) {
	f := open(t)
	page := newTask(1).Pages[0]
	run := runOf(page, pipeline.StageDetect, 1)
	_, err := f.BeginStage(t.Context(), run)
	requireCode(t, pipeline.CodeNotFound, err)
	requireCode(t, pipeline.CodeConflict, f.SaveDetect(t.Context(), run, pipeline.DetectOutput{}))
	require.NoError(t, f.FailPage(t.Context(), page, pipeline.ModeSplit, pipeline.Failure{Code: pipeline.CodeInternal}))
	require.Empty(t, f.rows(`SELECT * FROM stage_run`))
}

func TestEndStage(t *testing.T) {
	f := open(t)
	page := f.running(1).Pages[0]
	run := runOf(page, pipeline.StageDetect, 1)
	f.begin(run)
	require.NoError(t, f.EndStage(t.Context(), run, pipeline.CodeDevice, "", pipeline.ElapsedMS{"decode": 3}))
	require.NoError(t, f.EndStage(t.Context(), run, "", "", nil), "ended already")
	require.Equal(t, []string{`failure DEVICE_FAILED {"decode": 3}`}, f.rows(`SELECT outcome, code, elapsed_ms FROM stage_run`))
}

func TestPreviousPagesAndScript(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	pages := f.running(5).Pages
	for i, page := range pages {
		detect, translate := runOf(page, pipeline.StageDetect, 1), runOf(page, pipeline.StageTranslate, 1)
		texts := []string{"a", "b"}
		if i == 2 {
			texts = nil
		}
		f.begin(detect)
		require.NoError(t, f.SaveDetect(ctx, detect, pipeline.DetectOutput{Regions: regions(texts...)}))
		f.begin(translate)
		if i != 4 {
			require.NoError(t, f.SaveTranslations(ctx, translate, translated("A", "")))
		}
	}
	sense, err := f.Sense(ctx, pages[4], "en", 2)
	require.NoError(t, err)
	require.Equal(t, []records.PageText{
		{Index: 1, Name: "002.png", Pairs: []records.Pair{{Source: "a", Translation: "A"}}},
		{Index: 3, Name: "004.png", Pairs: []records.Pair{{Source: "a", Translation: "A"}}},
	}, sense.Before, "the nearest with text, in page order; regions left as drawn say nothing")

	script, err := f.Script(ctx, pages[0].TaskID)
	require.NoError(t, err)
	require.Len(t, script, 5)
	require.Empty(t, script[2].Regions)
	require.Equal(t, records.PageScript{Index: 4, Name: "005.png", Regions: []records.RegionText{{Index: 0, Source: "a"}, {Index: 1, Source: "b"}}}, script[4])
}
