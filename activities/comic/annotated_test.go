package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
)

// A region that could not be erased is marked in every mode, until an edit shows the page without the mark.
func TestARegionThatStaysAsDrawnIsMarked(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.Kept = []int{1}
	marks := func(p core.Item) (list []bool) {
		for _, region := range r.regions(p) {
			list = append(list, region.Annotated)
		}
		return list
	}
	split := r.page(twoLines)
	found := r.detect(split)
	out, err := call[comic.PageOutput](r.env, comic.StepRender, renderInput(split, found, r.translate(split, found).Translations))
	require.NoError(t, err)
	require.Equal(t, []int{1}, out.Annotated)
	require.Equal(t, []bool{false, true}, marks(split))

	unified := r.page(twoLines)
	out, err = call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: unified, Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	require.Equal(t, []int{1}, out.Annotated)
	require.Equal(t, []bool{false, true}, marks(unified))

	r.engine.Kept = []int{0}
	_, err = r.records.EditPage(t.Context(), unified.Tenant, unified.TaskID, unified.Index, "me", []comicrecords.RegionEdit{{Text: new("Crack!")}})
	require.NoError(t, err)
	_, err = call[comic.EditOutput](r.env, comic.StepEdit, comic.EditInput{Page: unified, Options: options})
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, marks(unified))
}
