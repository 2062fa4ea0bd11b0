package comic_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"

	comicsteps "plait/activities/comic"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
)

// A second attempt at a page joins the first one's model call, and leaves when it is canceled itself.
func TestAJoinedTranslationIsLeftWhenItsStepIsCanceled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	found := r.detect(p)
	asked, answer := make(chan struct{}), make(chan struct{})
	answered := sync.OnceFunc(func() { close(answer) })
	defer answered()
	r.model.Before = func(context.Context, translate.Request) error {
		close(asked)
		<-answer
		return nil
	}
	first, second := make(chan error, 1), make(chan error, 1)
	translate := func(env *testsuite.TestActivityEnvironment, done chan<- error) {
		_, err := call[comic.TranslateOutput](env, comic.StepTranslate, translateInput(p, found))
		done <- err
	}
	go translate(r.env, first)
	await(t, asked, "the model call")

	canceled, cancel := context.WithCancelCause(t.Context())
	env := r.process(r.steps)
	env.SetWorkerOptions(worker.Options{BackgroundActivityContext: canceled})
	// A beat comes long after the step has joined.
	env.SetOnActivityHeartbeatListener(func(*activity.Info, converter.EncodedValues) { cancel(temporal.NewCanceledError()) })
	go translate(env, second)
	require.True(t, temporal.IsCanceledError(await(t, second, "the canceled step")))

	answered()
	code, _ := failed(t, await(t, first, "the first step"))
	require.Equal(t, core.CodeConflict, code, "the second took its place in the records")
	require.Equal(t, 1, r.model.Calls())
}

// A worker that Temporal has lost goes on waiting for its model. Another one, which is given the page, does not ask again.
func TestAPageIsAskedForByOneProcessAtATime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	found := r.detect(p)
	asked, answer := make(chan struct{}), make(chan struct{})
	answered := sync.OnceFunc(func() { close(answer) })
	defer answered()
	var calls atomic.Int32
	r.model.Before = func(context.Context, translate.Request) error {
		if calls.Add(1) == 1 {
			close(asked)
			<-answer
		}
		return nil
	}
	first := make(chan error, 1)
	go func() {
		_, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, translateInput(p, found))
		first <- err
	}()
	await(t, asked, "the model call")
	deps := r.deps
	deps.TranslateSlots = 2
	_, err := call[comic.TranslateOutput](r.process(comicsteps.New(deps)), comic.StepTranslate, translateInput(p, found))
	code, again := failed(t, err)
	require.Equal(t, core.CodeUnavailable, code)
	require.True(t, again)
	require.Equal(t, 1, r.model.Calls())
	answered()
	code, _ = failed(t, await(t, first, "the first step"))
	require.Equal(t, core.CodeConflict, code, "the second took its place in the records")

	r.model.Before = nil
	_, err = call[comic.TranslateOutput](r.process(comicsteps.New(deps)), comic.StepTranslate, translateInput(p, found))
	require.NoError(t, err, "the page is free again")
}

func TestATranslatorThatPanicsIsAFaultOfPlait(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	r.model.Before = func(context.Context, translate.Request) error { panic("index out of range") }
	_, err := call[comic.TranslateOutput](r.env, comic.StepTranslate, translateInput(p, r.detect(p)))
	code, again := failed(t, err)
	require.Equal(t, core.CodeInternal, code)
	require.True(t, again)
}

// patience bounds what a test waits for.
const patience = 20 * time.Second

func await[T any](t *testing.T, c <-chan T, what string) (value T) {
	t.Helper()
	select {
	case value = <-c:
	case <-time.After(patience):
		require.FailNow(t, "waited in vain", what)
	}
	return value
}
