package comic_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
)

func TestTheLastRoomIsLeftToEarlierPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pages := r.chapterOf([]string{"line 0", "line 1"})
	ask := func(page int) error {
		_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: pages[page], Options: options, Yield: true})
		return err
	}
	for granted := true; granted; {
		if granted, _ = r.leases.Claim(lease.Ordinary); granted {
			r.leases.Begin(lease.Ordinary)
		}
	}
	code, again := failed(t, ask(1))
	require.Equal(t, core.CodeOutOfTurn, code)
	require.True(t, again, "it comes again by itself")
	require.Equal(t, core.StatusQueued, r.row(pages[1]).Status, "it has not begun")
	require.NoError(t, ask(0))
	require.NoError(t, ask(1))
}

func TestPagesOvertakeWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pages := r.chapterOf([]string{"line 0", "line 1"})
	_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: pages[1], Options: options, Yield: true})
	require.NoError(t, err)
}

// Steps that were asked for together come in any order: the later page waits, and others are taken in its place, until the
// earlier one has begun.
func TestAPageWaitsForTheOnesBeforeItToBegin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pages := r.chapterOf([]string{"line 0", "line 1"})
	waits, over := make(chan struct{}), make(chan struct{})
	later := r.process(r.steps)
	later.SetWorkerOptions(worker.Options{BackgroundActivityContext: activities.WithWaiting(t.Context(), func() func() {
		close(waits)
		return func() { close(over) }
	})})
	ended := make(chan error, 1)
	go func() {
		_, err := call[comic.DetectOutput](later, comic.StepDetect, comic.DetectInput{Page: pages[1], Options: options, Yield: true})
		ended <- err
	}()
	<-waits
	require.Equal(t, core.StatusQueued, r.row(pages[1]).Status, "it has not begun")
	_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: pages[0], Options: options, Yield: true})
	require.NoError(t, err)
	<-over
	require.NoError(t, <-ended)
	require.Equal(t, 2, r.engine.Detects())
}

// underWay is a chapter of two pages: a model translates the first until answer is closed, and the second was asked for ahead.
// It waits when this returns; its error comes with ended.
func underWay(t *testing.T, r *rig) (pages []core.Item, answer chan struct{}, first, ended chan error) {
	t.Helper()
	pages = r.chapterOf([]string{"line 0", "line 1"})
	var inputs []comic.TranslateInput
	for _, p := range pages {
		inputs = append(inputs, translateInput(p, r.detect(p)))
	}
	inputs[1].Prefetch = true
	asked, waits := make(chan struct{}, 2), make(chan struct{}, 3)
	answer, first, ended = make(chan struct{}), make(chan error, 1), make(chan error, 1)
	r.model.Before = func(ctx context.Context, q translate.Request) error {
		asked <- struct{}{}
		select {
		case <-answer:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	go func() {
		_, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, inputs[0])
		first <- err
	}()
	await(t, asked, "the model call of the first page")
	later := r.process(r.steps)
	later.SetWorkerOptions(worker.Options{BackgroundActivityContext: activities.WithWaiting(t.Context(), func() func() {
		waits <- struct{}{}
		return func() {}
	})})
	go func() {
		_, err := call[comic.TranslateOutput](later, comic.StepTranslate, inputs[1])
		ended <- err
	}()
	await(t, waits, "the second page")
	require.Equal(t, comic.StageTranslate, r.row(pages[1]).Stage, "it has begun")
	return pages, answer, first, ended
}

func TestATranslationAheadWaitsForTheOneBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, answer, first, ended := underWay(t, r)
	require.Equal(t, 1, r.model.Calls())
	close(answer)
	require.NoError(t, await(t, first, "the first page"))
	require.NoError(t, await(t, ended, "the second page"))
	requests := r.model.Requests()
	require.Len(t, requests, 2)
	require.Equal(t, 1, requests[1].Page.Index)
	require.Len(t, requests[1].Context, 1, "it is given the page before")
}

func TestATranslationAheadLeavesInAPause(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pages, answer, first, ended := underWay(t, r)
	_, err := r.records.SetPaused(t.Context(), pages[0].Tenant, pages[0].TaskID, true)
	require.NoError(t, err)
	code, again := failed(t, await(t, ended, "the second page"))
	require.Equal(t, core.CodePaused, code)
	require.False(t, again, "its workflow asks again")
	close(answer)
	require.NoError(t, await(t, first, "the first page"))
	require.Equal(t, 1, r.model.Calls())
}

// The page before is going to be tried again, and may need the place of the one that waits for it.
func TestATranslationAheadDoesNotWaitForWhatIsNotUnderWay(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	pages := r.chapterOf([]string{"line 0", "line 1"})
	in := translateInput(pages[1], r.detect(pages[1]))
	in.Prefetch = true
	_, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, in)
	code, again := failed(t, err)
	require.Equal(t, core.CodeOutOfTurn, code)
	require.False(t, again, "its workflow asks again")
	require.Zero(t, r.model.Calls())
	in.Prefetch = false
	_, err = call[comic.TranslateOutput](r.env, comic.StepTranslate, in)
	require.NoError(t, err)
}
