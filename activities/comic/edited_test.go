package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
)

// A later task on an image takes what people said of it, by text and place, and the model is asked for the rest with it.
func TestEditsAreTakenAndToldToTheModel(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	lines := enginetest.Page("はい", "いいえ", "はい", "では")
	first := r.page(lines)
	out, err := call[comic.PageOutput](r.env, comic.StepPage, comic.PageInput{Page: first, Options: options, Mode: comic.ModeUnified})
	require.NoError(t, err)
	require.Equal(t, 4, out.Regions)
	_, err = r.records.EditPage(t.Context(), first.Tenant, first.TaskID, 0, "Ann", []comicrecords.RegionEdit{{Index: 2, Text: new("Sure.")}, {Index: 3, Text: new("")}})
	require.NoError(t, err)

	second := r.page(lines)
	got := r.translate(second, r.detect(second))
	require.ElementsMatch(t, []core.Translation{
		{Index: 0, Text: "[はい]"}, {Index: 1, Text: "[いいえ]"}, {Index: 2, Text: "Sure."}, {Index: 3},
	}, got.Translations)
	asked := r.model.Requests()[1]
	require.Equal(t, []translate.Segment{{Index: 0, Text: "はい"}, {Index: 1, Text: "いいえ"}}, asked.Segments)
	require.Equal(t, []translate.Pair{{Source: "はい", Translation: "Sure."}}, asked.Done)

	// With an answer for all of it there is nothing to ask.
	_, err = r.records.EditPage(t.Context(), first.Tenant, first.TaskID, 0, "Ann", []comicrecords.RegionEdit{{Index: 0, Text: new("Yes.")}, {Index: 1, Text: new("No.")}})
	require.NoError(t, err)
	third := r.page(lines)
	got = r.translate(third, r.detect(third))
	require.ElementsMatch(t, []core.Translation{
		{Index: 0, Text: "Yes."}, {Index: 1, Text: "No."}, {Index: 2, Text: "Sure."}, {Index: 3},
	}, got.Translations)
	require.Equal(t, 2, r.model.Calls())
}
