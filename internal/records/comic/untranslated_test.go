package comicrecords_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
)

// A region that no model could translate is kept with its reason, and counted from the region up to the task.
func TestRegionsLeftUntranslatedAreCounted(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	task := f.running(1)
	page := task.Items[0]
	detect, translate := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageTranslate, 1)
	f.Begin(detect)
	require.NoError(t, f.SaveDetect(ctx, detect, comic.DetectOutput{FromLang: "ja", Regions: regions("はい", "いいえ", "ドン")}))
	f.Begin(translate)
	out := translated("Yes", "", "")
	out.Translations[1].Untranslated = core.UntranslatedRefused
	require.NoError(t, f.SaveTranslations(ctx, translate, out))

	kept, err := f.Translations(ctx, page.TaskID, page.Index)
	require.NoError(t, err)
	require.Equal(t, out.Translations, kept)
	require.Equal(t, 1, f.page(page).Untranslated)
	require.Equal(t, 1, f.counts(page.TaskID).Untranslated)
	require.Equal(t, []core.Untranslated{"", core.UntranslatedRefused, ""}, reasons(f, page))
	f.finish(page)
	_, err = f.FinishTask(ctx, core.FinishTaskInput{TaskID: task.ID})
	require.NoError(t, err)
	require.Equal(t, 1, f.counts(page.TaskID).Untranslated)

	f.SQL(`UPDATE comic_region SET translation = 'No' WHERE region_index = 1`)
	require.Equal(t, []core.Untranslated{"", "", ""}, reasons(f, page), "what a person fills in is no longer untranslated")
	require.Zero(t, f.page(page).Untranslated)
}

func reasons(f fixture, page core.Item) (found []core.Untranslated) {
	f.T.Helper()
	list, err := f.Regions(f.T.Context(), page.TaskID, page.Index)
	require.NoError(f.T, err)
	for _, r := range list {
		found = append(found, r.Untranslated)
	}
	return found
}
