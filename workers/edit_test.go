package workers_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	comicrecords "plait/internal/records/comic"
	"plait/internal/translate/translatetest"
	"plait/workflows"
	comicflow "plait/workflows/comic"
)

// edit changes the translation of the first region of a page and has it rendered.
func (r *rig) edit(in chapter, page int, text string) {
	r.t.Helper()
	p, err := comicrecords.New(r.records).EditPage(r.t.Context(), tenant, in.TaskID, page, "Ann", []comicrecords.RegionEdit{{Index: 0, Text: new(text)}})
	require.NoError(r.t, err)
	require.True(r.t, p.Edit.Pending())
	require.NoError(r.t, comicflow.StartEdit(r.t.Context(), r.client, comicflow.EditInput{Options: in.Options, Page: p.Ref}, in.share))
}

// untilEdited is the page once its edits are in its result, or cannot be.
func (r *rig) untilEdited(in chapter, page int) (p comicrecords.Page) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	require.NoError(r.t, until(ctx, func() bool {
		var err error
		p, err = comicrecords.New(r.records).Page(ctx, in.TaskID, page)
		require.NoError(r.t, err)
		return !p.Edit.Pending()
	}))
	return p
}

func editedTo(text string, page int) string {
	first := true
	return string(enginetest.Rendered(func(line string) string {
		if first {
			first = false
			return text
		}
		return translatetest.Bracketed(line)
	}, linesOf(page)...))
}

func TestEditsAreRenderedOnTheHostThatKeepsThePage(t *testing.T) {
	r := newRig(t)
	const ttl = 3 * time.Second
	h := r.host(hostOptions{leases: lease.Config{TTL: ttl}})
	in := r.task(comic.ModeSplit, hello(0), hello(1))
	r.run(in)
	other := r.result(r.pages(in)[0])
	detects, erased := h.engine.Detects(), h.engine.Erased()

	r.edit(in, 1, "Hi")
	require.Equal(t, editedTo("Hi", 1), r.result(r.untilEdited(in, 1)))
	require.Equal(t, erased+1, h.engine.Erased(), "the page is erased once")
	for _, text := range []string{"Hello", "Hey", "Hi"} {
		r.edit(in, 1, text)
		require.Equal(t, editedTo(text, 1), r.result(r.untilEdited(in, 1)))
	}
	require.Equal(t, erased+1, h.engine.Erased(), "and kept for the edits after")
	require.Equal(t, []int{0, 1}, r.model.Pages(), "no model is asked for an edit")
	require.Equal(t, other, r.result(r.pages(in)[0]), "other pages stay as they are")

	// Once the page is kept no longer the execution ends, and the next edit begins another.
	id := in.TaskID + "/pages/1"
	require.NoError(t, r.client.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil))
	first := r.client.GetWorkflow(t.Context(), id, "").GetRunID()
	recordRun(t, r, chapter{TaskInput: workflows.TaskInput{TaskID: id}}, "", "edit")
	r.edit(in, 1, "Bye")
	require.Equal(t, editedTo("Bye", 1), r.result(r.untilEdited(in, 1)))
	require.NotEqual(t, first, r.client.GetWorkflow(t.Context(), id, "").GetRunID())
	require.Equal(t, erased+2, h.engine.Erased())
	require.Equal(t, detects, h.engine.Detects(), "no edit reads the page again")
}

// A page that a person has opened is prepared, so that its first edit only letters it, and nothing else changes.
func TestAPageIsPreparedForItsFirstEdit(t *testing.T) {
	r := newRig(t)
	h := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	r.run(in)
	before := r.pages(in)[0]
	erased, detects := h.engine.Erased(), h.engine.Detects()
	prepare := func() {
		t.Helper()
		require.NoError(t, comicflow.StartEdit(t.Context(), r.client, comicflow.EditInput{Options: in.Options, Page: before.Ref}, in.share))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	prepare()
	require.NoError(t, until(ctx, func() bool { return h.engine.Erased() == erased+1 }))
	prepare()
	after := r.pages(in)[0]
	require.Equal(t, before, after)
	r.edit(in, 0, "Hi")
	require.Equal(t, editedTo("Hi", 0), r.result(r.untilEdited(in, 0)))
	require.Equal(t, []int{erased + 1, detects}, []int{h.engine.Erased(), h.engine.Detects()}, "the edit finds the page erased")
}

// The host that keeps the page is gone: another one takes the edit.
func TestAnEditOutlivesTheHostOfItsPage(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	r.run(in)
	r.edit(in, 0, "One")
	r.untilEdited(in, 0)
	require.NoError(t, first.stop())
	second := r.host(hostOptions{})
	r.edit(in, 0, "Two")
	require.Equal(t, editedTo("Two", 0), r.result(r.untilEdited(in, 0)))
	require.Zero(t, second.engine.Detects())
	recordRun(t, r, chapter{TaskInput: workflows.TaskInput{TaskID: in.TaskID + "/pages/0"}}, "", "edit-host-lost")
}

func TestAnEditThatFailsLeavesTheResultAndSaysWhy(t *testing.T) {
	r := newRig(t)
	var broken atomic.Bool
	engine := &enginetest.Engine{Before: func(context.Context, core.Stage, []byte) error {
		if broken.Load() {
			return core.NewError(core.CodeModelMissing, "the font is gone")
		}
		return nil
	}}
	r.host(hostOptions{engine: engine})
	in := r.task(comic.ModeSplit, hello(0))
	r.run(in)
	before := r.pages(in)[0].Result
	broken.Store(true)
	r.edit(in, 0, "One")
	p := r.untilEdited(in, 0)
	require.Equal(t, core.CodeModelMissing, p.Edit.Failure.Code)
	require.Equal(t, "the font is gone", p.Edit.Failure.Message)
	require.Equal(t, before, p.Result)
	require.Equal(t, core.StatusSuccess, p.Status)
	recordRun(t, r, chapter{TaskInput: workflows.TaskInput{TaskID: in.TaskID + "/pages/0"}}, "", "edit-failed")

	broken.Store(false)
	r.edit(in, 0, "One") // the same edit once more tries again
	p = r.untilEdited(in, 0)
	require.Nil(t, p.Edit.Failure)
	require.Equal(t, editedTo("One", 0), r.result(p))
}

// A host that would read the page otherwise letters the regions that are in the records.
func TestAnEditOnAHostThatReadsOtherwise(t *testing.T) {
	r := newRig(t)
	first := r.host(hostOptions{})
	in := r.task(comic.ModeSplit, enginetest.Page("あ", "い", "う"))
	r.run(in)
	require.NoError(t, first.stop())
	r.host(hostOptions{engine: &enginetest.Engine{Read: func([]string) []string { return []string{"あ", "イ", "う", "え"} }}})
	r.edit(in, 0, "A")
	require.Equal(t, "あ -> A\nい -> [い]\nう -> [う]\n", r.result(r.untilEdited(in, 0)))
	require.Equal(t, []int{0}, r.model.Pages())
}
