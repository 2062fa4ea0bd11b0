package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	comicrecords "plait/internal/records/comic"
)

// What no font has is left out and told with the page, whatever way it goes, until an edit does without.
func TestCharactersThatNoFontHasAreTold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.Missing = "いえ"
	image := enginetest.Page("はい", "いい")
	const without = "はい -> [は]\nいい -> []\n"

	split := r.page(image)
	found := r.detect(split)
	out, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(split, found, r.translate(split, found).Translations))
	require.NoError(t, err)
	unified := r.page(image)
	whole, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: unified, Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	for _, o := range []comic.PageOutput{out, whole} {
		require.Equal(t, []string{without, "い"}, []string{r.bytes(o.Result), o.Missing})
	}
	require.Equal(t, []string{"い", "い"}, []string{r.row(split).Missing, r.row(unified).Missing})

	_, err = r.records.EditPage(t.Context(), unified.Tenant, unified.TaskID, 0, "Ann", []comicrecords.RegionEdit{{Index: 0, Text: new("Yes")}, {Index: 1, Text: new("Fine")}})
	require.NoError(t, err)
	_, err = call[comic.EditOutput](r.env, comic.StepEdit, comic.EditInput{Page: unified, Options: options})
	require.NoError(t, err)
	require.Equal(t, "はい -> Yes\nいい -> Fine\n", r.bytes(r.row(unified).Result))
	require.Empty(t, r.row(unified).Missing)
}
