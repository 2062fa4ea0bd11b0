package workers_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/enginetest"
	"plait/internal/pipeline"
	"plait/internal/translate"
)

func TestStepsThatFailAreTriedAgain(t *testing.T) {
	r := newRig(t)
	var detects, translations, renders atomic.Int64
	once := func(n *atomic.Int64, code pipeline.Code) error {
		if n.Add(1) == 1 {
			return pipeline.NewError(code, "not this time").WithRetryAfter(time.Millisecond)
		}
		return nil
	}
	r.model.Before = func(context.Context, translate.Request) error {
		return once(&translations, pipeline.CodeTranslatorUnavailable)
	}
	r.host(hostOptions{engine: &enginetest.Engine{Before: func(_ context.Context, stage pipeline.Stage, _ []byte) error {
		if stage == pipeline.StageDetect {
			return once(&detects, pipeline.CodeDevice)
		}
		if renders.Add(1) == 1 {
			panic("the first render")
		}
		return nil
	}}})
	in := r.task(pipeline.ModeSplit, hello(0))
	require.Equal(t, pipeline.ChapterResult{Status: pipeline.StatusSuccess, TotalCount: 1, SuccessCount: 1}, r.run(in))
	require.Equal(t, []int64{2, 2, 2}, []int64{detects.Load(), translations.Load(), renders.Load()})
	record(t, r, in, "retried")
}

func TestAFaultOfThePageIsNotTriedForLong(t *testing.T) {
	r := newRig(t)
	h := r.host(hostOptions{engine: &enginetest.Engine{Before: func(context.Context, pipeline.Stage, []byte) error {
		return pipeline.NewError(pipeline.CodeDevice, "inference failed").WithRetryAfter(time.Millisecond)
	}}})
	in := r.task(pipeline.ModeUnified, hello(0))
	require.Equal(t, pipeline.StatusError, r.run(in).Status)
	require.Equal(t, pipeline.Failure{Stage: pipeline.StagePage, Code: pipeline.CodeDevice, Message: "inference failed"}, *r.pages(in)[0].Failure)
	require.Equal(t, 3, h.engine.Detects())
	record(t, r, in, "page-failed")
}

// soon is an error that is tried again without the delays of real life.
func soon(code pipeline.Code) error {
	return pipeline.NewError(code, "not this time").WithRetryAfter(time.Millisecond)
}

// What is out of reach is waited for, however often it was tried, and a fault that comes after it is still tried again.
func TestALongOutageCostsNoPage(t *testing.T) {
	r := newRig(t)
	faults := append(slices.Repeat([]pipeline.Code{pipeline.CodeUnavailable}, 12), pipeline.CodeDevice)
	h := r.host(hostOptions{})
	h.engine.Before = func(_ context.Context, stage pipeline.Stage, _ []byte) error {
		if n := h.engine.Detects(); stage == pipeline.StageDetect && n <= len(faults) {
			return soon(faults[n-1])
		}
		return nil
	}
	require.Equal(t, 1, r.run(r.task(pipeline.ModeSplit, hello(0))).SuccessCount)
}

// The translator itself asks again for what is not fit, within its bounds. A step that did so too would multiply them.
func TestAnUnfitTranslationIsNotAskedForAgain(t *testing.T) {
	r := newRig(t)
	r.model.Before = func(context.Context, translate.Request) error {
		return pipeline.NewError(pipeline.CodeTranslationInvalid, "no fit translation").WithRetryAfter(time.Millisecond)
	}
	r.host(hostOptions{})
	in := r.task(pipeline.ModeSplit, hello(0))
	require.Equal(t, pipeline.StatusError, r.run(in).Status)
	require.Equal(t, pipeline.Failure{Stage: pipeline.StageTranslate, Code: pipeline.CodeTranslationInvalid, Message: "no fit translation"},
		*r.pages(in)[0].Failure)
	require.Equal(t, []int{0}, r.model.Pages())
}
