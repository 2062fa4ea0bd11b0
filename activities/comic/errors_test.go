package comic_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
)

func TestFailuresAreTyped(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain: /secret/path")
	cases := map[string]struct {
		err   error
		want  core.Code
		again bool
		delay time.Duration
	}{
		"never":       {core.NewError(core.CodeInvalidImage, "no image"), core.CodeInvalidImage, false, 0},
		"backoff":     {core.NewError(core.CodeUnavailable, "away"), core.CodeUnavailable, true, 0},
		"wished":      {core.NewError(core.CodeTranslatorRateLimited, "wait").WithRetryAfter(time.Minute), core.CodeTranslatorRateLimited, true, time.Minute},
		"unknown":     {plain, core.CodeInternal, true, 0},
		"a time-out":  {context.DeadlineExceeded, core.CodeUnavailable, true, 0},
		"model fault": {core.NewError(core.CodeModelMissing, "no model"), core.CodeModelMissing, false, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.engine.Before = func(context.Context, core.Stage, []byte) error { return c.err }
			_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: r.page(twoLines), Options: options})
			code, again := failed(t, err)
			require.Equal(t, c.want, code)
			require.Equal(t, c.again, again)
			require.NotContains(t, err.Error(), "/secret", "a cause is for the log")
			var application *temporal.ApplicationError
			require.ErrorAs(t, err, &application)
			require.Equal(t, c.delay, application.NextRetryDelay())
		})
	}
}

// failedBefore records runs of a stage that ended so; one without a code never told its end.
func (r *rig) failedBefore(p core.Item, stage core.Stage, codes ...core.Code) {
	r.t.Helper()
	for i, code := range codes {
		// The attempts of a test are all the first: these have other numbers.
		run := records.StageRun{Item: p, Stage: stage, Rank: comic.Rank(stage), Attempt: 100 + i, Mode: comic.ModeSplit, Host: "b"}
		_, err := r.records.BeginStage(r.t.Context(), run)
		require.NoError(r.t, err)
		if code != "" {
			require.NoError(r.t, r.records.EndStage(r.t.Context(), run, code, "", nil))
		}
	}
}

func TestHowOftenAStepIsTried(t *testing.T) {
	t.Parallel()
	const unknown = core.Code("")
	cases := map[string]struct {
		before []core.Code
		now    core.Code
		again  bool
	}{
		"an outage":                 {slices.Repeat([]core.Code{core.CodeUnavailable}, 50), core.CodeUnavailable, true},
		"a fault after an outage":   {slices.Repeat([]core.Code{core.CodeUnavailable}, 50), core.CodeDevice, true},
		"a second fault":            {[]core.Code{core.CodeInternal}, core.CodeDevice, true},
		"a third fault":             {[]core.Code{core.CodeInternal, core.CodeUnavailable, core.CodeDevice}, core.CodeDevice, false},
		"a provider that says wait": {slices.Repeat([]core.Code{core.CodeTranslatorRateLimited}, 50), core.CodeTranslatorRateLimited, true},
		"a translator away":         {slices.Repeat([]core.Code{core.CodeTranslatorUnavailable}, 58), core.CodeTranslatorUnavailable, true},
		"a translator that is away": {slices.Repeat([]core.Code{core.CodeTranslatorUnavailable}, 59), core.CodeTranslatorUnavailable, false},
		"workers lost now and then": {slices.Repeat([]core.Code{unknown}, 5), core.CodeUnavailable, true},
		"never":                     {nil, core.CodeInvalidImage, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.engine.Before = func(context.Context, core.Stage, []byte) error { return core.NewError(c.now, "no") }
			p := r.page(twoLines)
			r.failedBefore(p, comic.StageDetect, c.before...)
			_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: p, Options: options})
			code, again := failed(t, err)
			require.Equal(t, c.now, code)
			require.Equal(t, c.again, again)
		})
	}
}

func TestAPageThatTakesItsWorkersWithItIsGivenUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	r.failedBefore(p, comic.StageDetect, make([]core.Code, 6)...) // five are replaced by the next
	_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: p, Options: options})
	code, again := failed(t, err)
	require.Equal(t, core.CodeInternal, code)
	require.False(t, again)
	require.ErrorContains(t, err, "5 workers")
	require.Zero(t, r.engine.Detects())
}

func TestAnOutageLeavesARenderOnItsHost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	in := renderInput(p, r.detect(p), translations(2))
	r.engine.Before = func(context.Context, core.Stage, []byte) error {
		return core.NewError(core.CodeUnavailable, "the blob store does not answer")
	}
	_, err := call[comic.PageOutput](r.env, comic.StepRender, in)
	code, again := failed(t, err)
	require.Equal(t, core.CodeUnavailable, code, "not HOST_LOST")
	require.True(t, again)
}

func TestAPanicIsAFaultOfPlait(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.Before = func(context.Context, core.Stage, []byte) error { panic("index out of range") }
	_, err := call[comic.DetectOutput](r.env, comic.StepDetect, comic.DetectInput{Page: r.page(twoLines), Options: options})
	code, again := failed(t, err)
	require.Equal(t, core.CodeInternal, code)
	require.True(t, again)
	r.engine.Before = nil
	require.Len(t, r.detect(r.page(twoLines)).Regions, 2, "the device is free again")
}
