package comic_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/worker"

	"plait/activities"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
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
