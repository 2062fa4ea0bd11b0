package workers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// draw adds a region to a page and has it read.
func (r *rig) draw(in chapter, page int, area comic.Area) {
	r.t.Helper()
	p, err := comicrecords.New(r.records).DrawRegion(r.t.Context(), tenant, in.TaskID, page, area)
	require.NoError(r.t, err)
	require.True(r.t, p.Edit.Pending())
	require.NoError(r.t, comicflow.StartEdit(r.t.Context(), r.client, comicflow.EditInput{Options: in.Options, Page: p.Ref}, in.share))
}

// untilDrawn waits until every region of a page that was drawn is read, translated and rendered.
func (r *rig) untilDrawn(in chapter, page int) (p comicrecords.Page, regions []comicrecords.Region) {
	r.t.Helper()
	store := comicrecords.New(r.records)
	require.NoError(r.t, until(r.t.Context(), func() bool {
		var err error
		// In this order: a region that is done was written together with the revision to render.
		regions, err = store.Regions(r.t.Context(), in.TaskID, page)
		require.NoError(r.t, err)
		p, err = store.Page(r.t.Context(), in.TaskID, page)
		require.NoError(r.t, err)
		for _, region := range regions {
			if region.Reading != "" && region.Reading != comic.ReadingDone {
				return false
			}
		}
		return !p.Edit.Pending()
	}))
	return p, regions
}

func TestADrawnRegionIsReadTranslatedAndLettered(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, enginetest.Page("あ", "い"))
	r.run(in)
	r.draw(in, 0, comic.Area{10, 20, 40, 60})
	p, regions := r.untilDrawn(in, 0)
	const read = "読 [10 20 40 60]"
	require.Equal(t, "あ -> [あ]\nい -> [い]\n"+read+" -> ["+read+"]\n", r.result(p))
	require.Equal(t, []any{read, "[" + read + "]", 3}, []any{regions[2].Source, regions[2].Translation, p.Regions})
	require.Equal(t, []int{0, 0}, r.model.Pages(), "the model is asked for the region once")
	recordRun(t, r, chapter{TaskInput: workflows.TaskInput{TaskID: in.TaskID + "/pages/0"}}, "", "drawn")

	// Another host, a region of which nothing is asked because a person has translated it before it is read.
	require.NoError(t, first.stop())
	r.draw(in, 0, comic.Area{50, 20, 80, 60})
	store := comicrecords.New(r.records)
	_, err := store.EditPage(t.Context(), tenant, in.TaskID, 0, "Ann", []comicrecords.RegionEdit{{Index: 3, Text: new("By hand")}})
	require.NoError(t, err)
	r.host(hostOptions{})
	p, _ = r.untilDrawn(in, 0)
	require.Contains(t, r.result(p), "読 [50 20 80 60] -> By hand\n")
	require.Equal(t, []int{0, 0}, r.model.Pages())

	// What is taken back is lettered no more.
	taken := comic.OverrideEdit{Deleted: new(true)}
	p, err = store.EditPage(t.Context(), tenant, in.TaskID, 0, "Ann", []comicrecords.RegionEdit{{Index: 3, Override: taken}})
	require.NoError(t, err)
	require.NoError(t, comicflow.StartEdit(t.Context(), r.client, comicflow.EditInput{Options: in.Options, Page: p.Ref}, in.share))
	p, _ = r.untilDrawn(in, 0)
	require.NotContains(t, r.result(p), "By hand")
	script, err := store.Script(t.Context(), in.TaskID)
	require.NoError(t, err)
	require.Len(t, script[0].Regions, 3)
}

// refusing is a model that refuses every request.
type refusing struct{ translate.Translator }

func (refusing) Name() string { return "refusing" }

func (refusing) Translate(context.Context, translate.Request) (translate.Result, error) {
	return translate.Result{}, core.NewError(core.CodeTranslatorRefused, "the key is not valid")
}

// A model that refuses leaves the region to a person, and the page says why.
func TestADrawnRegionThatNoModelTranslates(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	r.run(in)
	require.NoError(t, first.stop())
	r.translator = refusing{}
	r.host(hostOptions{})
	r.draw(in, 0, comic.Area{10, 20, 40, 60})
	p, regions := r.untilDrawn(in, 0)
	require.Equal(t, core.CodeTranslatorRefused, p.Edit.Failure.Code)
	last := regions[len(regions)-1]
	require.Equal(t, []any{"読 [10 20 40 60]", ""}, []any{last.Source, last.Translation})
}
