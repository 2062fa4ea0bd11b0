package workers_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// alternatives asks for other translations of the first region of the first page, and waits for the answer.
func (r *rig) alternatives(in chapter, request string) *comic.Alternatives {
	r.t.Helper()
	store := comicrecords.New(r.records)
	asked, err := store.AlternativesOf(r.t.Context(), tenant, in.TaskID, 0, 0)
	require.NoError(r.t, err)
	asked.Options, asked.Request, asked.Count = in.Options, request, 2
	require.NoError(r.t, comicflow.StartAlternatives(r.t.Context(), r.client, asked, in.share))
	var found *comic.Alternatives
	require.NoError(r.t, until(r.t.Context(), func() bool {
		regions, err := store.Regions(r.t.Context(), in.TaskID, 0)
		require.NoError(r.t, err)
		found = regions[0].Alternatives
		return found != nil && found.Request == request
	}))
	return found
}

// A model gives other translations of a text, again others when it is asked again, and none of the page changes. A model that refuses says why.
func TestAlternatives(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, enginetest.Page("あ", "い"))
	r.run(in)
	require.Equal(t, []string{"[[あ]]", "[[[あ]]]"}, r.alternatives(in, "one").Texts)
	recordRun(t, r, chapter{TaskInput: workflows.TaskInput{TaskID: in.TaskID + "/pages/0/regions/0/alternatives/"}}, "", "alternatives")
	require.Equal(t, []string{"[[[[あ]]]]", "[[[[[あ]]]]]", "[[あ]]", "[[[あ]]]"}, r.alternatives(in, "two").Texts)
	requests := r.model.Requests()
	require.Equal(t, "い", requests[len(requests)-1].Done[0].Source, "the rest of the page is the context")

	page, err := comicrecords.New(r.records).Page(t.Context(), in.TaskID, 0)
	require.NoError(t, err)
	require.Nil(t, page.Edit)

	require.NoError(t, first.stop())
	r.translator = refusing{}
	r.host(hostOptions{})
	refused := r.alternatives(in, "three")
	require.Equal(t, core.CodeTranslatorMissing, refused.Failure.Code)
	require.Len(t, refused.Texts, 4, "what there was stays")
}
