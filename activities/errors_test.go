package activities_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/internal/pipeline"
	"plait/internal/records"
)

func TestFailuresAreTyped(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain: /secret/path")
	cases := map[string]struct {
		err   error
		want  pipeline.Code
		again bool
		delay time.Duration
	}{
		"never":       {pipeline.NewError(pipeline.CodeInvalidImage, "no image"), pipeline.CodeInvalidImage, false, 0},
		"backoff":     {pipeline.NewError(pipeline.CodeUnavailable, "away"), pipeline.CodeUnavailable, true, 0},
		"wished":      {pipeline.NewError(pipeline.CodeTranslatorRateLimited, "wait").WithRetryAfter(time.Minute), pipeline.CodeTranslatorRateLimited, true, time.Minute},
		"unknown":     {plain, pipeline.CodeInternal, true, 0},
		"a time-out":  {context.DeadlineExceeded, pipeline.CodeUnavailable, true, 0},
		"model fault": {pipeline.NewError(pipeline.CodeModelMissing, "no model"), pipeline.CodeModelMissing, false, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.engine.Before = func(context.Context, pipeline.Stage, []byte) error { return c.err }
			_, err := call[pipeline.DetectOutput](r.env, pipeline.StepDetect, pipeline.DetectInput{Page: r.page(twoLines), Options: options})
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
func (r *rig) failedBefore(p pipeline.PageRef, stage pipeline.Stage, codes ...pipeline.Code) {
	r.t.Helper()
	for i, code := range codes {
		// The attempts of a test are all the first: these have other numbers.
		run := records.StageRun{Page: p, Stage: stage, Attempt: 100 + i, Mode: pipeline.ModeSplit, Host: "b"}
		_, err := r.records.BeginStage(r.t.Context(), run)
		require.NoError(r.t, err)
		if code != "" {
			require.NoError(r.t, r.records.EndStage(r.t.Context(), run, code, "", nil))
		}
	}
}

func TestHowOftenAStepIsTried(t *testing.T) {
	t.Parallel()
	const unknown = pipeline.Code("")
	cases := map[string]struct {
		before []pipeline.Code
		now    pipeline.Code
		again  bool
	}{
		"an outage":                 {slices.Repeat([]pipeline.Code{pipeline.CodeUnavailable}, 50), pipeline.CodeUnavailable, true},
		"a fault after an outage":   {slices.Repeat([]pipeline.Code{pipeline.CodeUnavailable}, 50), pipeline.CodeDevice, true},
		"a second fault":            {[]pipeline.Code{pipeline.CodeInternal}, pipeline.CodeDevice, true},
		"a third fault":             {[]pipeline.Code{pipeline.CodeInternal, pipeline.CodeUnavailable, pipeline.CodeDevice}, pipeline.CodeDevice, false},
		"a provider that says wait": {slices.Repeat([]pipeline.Code{pipeline.CodeTranslatorRateLimited}, 50), pipeline.CodeTranslatorRateLimited, true},
		"a translator away":         {slices.Repeat([]pipeline.Code{pipeline.CodeTranslatorUnavailable}, 58), pipeline.CodeTranslatorUnavailable, true},
		"a translator that is away": {slices.Repeat([]pipeline.Code{pipeline.CodeTranslatorUnavailable}, 59), pipeline.CodeTranslatorUnavailable, false},
		"workers lost now and then": {slices.Repeat([]pipeline.Code{unknown}, 5), pipeline.CodeUnavailable, true},
		"never":                     {nil, pipeline.CodeInvalidImage, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.engine.Before = func(context.Context, pipeline.Stage, []byte) error { return pipeline.NewError(c.now, "no") }
			p := r.page(twoLines)
			r.failedBefore(p, pipeline.StageDetect, c.before...)
			_, err := call[pipeline.DetectOutput](r.env, pipeline.StepDetect, pipeline.DetectInput{Page: p, Options: options})
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
	r.failedBefore(p, pipeline.StageDetect, make([]pipeline.Code, 6)...) // five are replaced by the next
	_, err := call[pipeline.DetectOutput](r.env, pipeline.StepDetect, pipeline.DetectInput{Page: p, Options: options})
	code, again := failed(t, err)
	require.Equal(t, pipeline.CodeInternal, code)
	require.False(t, again)
	require.ErrorContains(t, err, "5 workers")
	require.Zero(t, r.engine.Detects())
}

func TestAnOutageLeavesARenderOnItsHost(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.page(twoLines)
	in := renderInput(p, r.detect(p), translations(2))
	r.engine.Before = func(context.Context, pipeline.Stage, []byte) error {
		return pipeline.NewError(pipeline.CodeUnavailable, "the blob store does not answer")
	}
	_, err := call[pipeline.PageOutput](r.env, pipeline.StepRender, in)
	code, again := failed(t, err)
	require.Equal(t, pipeline.CodeUnavailable, code, "not HOST_LOST")
	require.True(t, again)
}

func TestAPanicIsAFaultOfPlait(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.engine.Before = func(context.Context, pipeline.Stage, []byte) error { panic("index out of range") }
	_, err := call[pipeline.DetectOutput](r.env, pipeline.StepDetect, pipeline.DetectInput{Page: r.page(twoLines), Options: options})
	code, again := failed(t, err)
	require.Equal(t, pipeline.CodeInternal, code)
	require.True(t, again)
	r.engine.Before = nil
	require.Len(t, r.detect(r.page(twoLines)).Regions, 2, "the device is free again")
}
