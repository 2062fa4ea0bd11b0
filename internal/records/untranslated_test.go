package records_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/pipeline"
)

// A region that no model could translate is kept with its reason, and counted from the region up to the task.
func TestRegionsLeftUntranslatedAreCounted(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(1)
	page := task.Pages[0]
	detect, translate := runOf(page, pipeline.StageDetect, 1), runOf(page, pipeline.StageTranslate, 1)
	f.begin(detect)
	require.NoError(t, f.SaveDetect(ctx, detect, pipeline.DetectOutput{FromLang: "ja", Regions: regions("はい", "いいえ", "ドン")}))
	f.begin(translate)
	out := translated("Yes", "", "")
	out.Translations[1].Untranslated = pipeline.UntranslatedRefused
	require.NoError(t, f.SaveTranslations(ctx, translate, out))

	kept, err := f.Translations(ctx, page.TaskID, page.Index)
	require.NoError(t, err)
	require.Equal(t, out.Translations, kept)
	require.Equal(t, 1, f.page(page).Untranslated)
	progress, err := f.Progress(ctx, page.TaskID)
	require.NoError(t, err)
	require.Equal(t, 1, progress.Untranslated)
	require.Equal(t, []pipeline.Untranslated{"", pipeline.UntranslatedRefused, ""}, reasons(f, page))
	f.finish(page)
	result, err := f.FinishTask(ctx, pipeline.FinishTaskInput{TaskID: task.ID})
	require.NoError(t, err)
	require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusSuccess, TotalCount: 1, SuccessCount: 1, UntranslatedCount: 1}, result)

	f.sql(`UPDATE region SET translation = 'No' WHERE region_index = 1`)
	require.Equal(t, []pipeline.Untranslated{"", "", ""}, reasons(f, page), "what a person fills in is no longer untranslated")
	require.Zero(t, f.page(page).Untranslated)
}

func reasons(f fixture, page pipeline.PageRef) (found []pipeline.Untranslated) {
	f.t.Helper()
	list, err := f.Regions(f.t.Context(), page.TaskID, page.Index)
	require.NoError(f.t, err)
	for _, r := range list {
		found = append(found, r.Untranslated)
	}
	return found
}
