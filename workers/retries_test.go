package workers_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/translate"
)

func TestStepsThatFailAreTriedAgain(t *testing.T) {
	r := newRig(t)
	var detects, translations, renders atomic.Int64
	once := func(n *atomic.Int64, code core.Code) error {
		if n.Add(1) == 1 {
			return core.NewError(code, "not this time").WithRetryAfter(time.Millisecond)
		}
		return nil
	}
	r.model.Before = func(context.Context, translate.Request) error {
		return once(&translations, core.CodeTranslatorUnavailable)
	}
	r.host(hostOptions{engine: &enginetest.Engine{Before: func(_ context.Context, stage core.Stage, _ []byte) error {
		if stage == comic.StageDetect {
			return once(&detects, core.CodeDevice)
		}
		if renders.Add(1) == 1 {
			panic("the first render")
		}
		return nil
	}}})
	in := r.task(comic.ModeSplit, hello(0))
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 1, SuccessCount: 1}, r.run(in))
	require.Equal(t, []int64{2, 2, 2}, []int64{detects.Load(), translations.Load(), renders.Load()})
	record(t, r, in, "retried")
}

func TestAFaultOfThePageIsNotTriedForLong(t *testing.T) {
	r := newRig(t)
	h := r.host(hostOptions{engine: &enginetest.Engine{Before: func(context.Context, core.Stage, []byte) error {
		return core.NewError(core.CodeDevice, "inference failed").WithRetryAfter(time.Millisecond)
	}}})
	in := r.task(comic.ModeUnified, hello(0))
	require.Equal(t, core.StatusError, r.run(in).Status)
	require.Equal(t, core.Failure{Stage: comic.StagePage, Code: core.CodeDevice, Message: "inference failed"}, *r.pages(in)[0].Failure)
	require.Equal(t, 3, h.engine.Detects())
	record(t, r, in, "page-failed")
}

// soon is an error that is tried again without the delays of real life.
func soon(code core.Code) error {
	return core.NewError(code, "not this time").WithRetryAfter(time.Millisecond)
}

// What is out of reach is waited for, however often it was tried, and a fault that comes after it is still tried again.
func TestALongOutageCostsNoPage(t *testing.T) {
	r := newRig(t)
	faults := append(slices.Repeat([]core.Code{core.CodeUnavailable}, 12), core.CodeDevice)
	h := r.host(hostOptions{})
	h.engine.Before = func(_ context.Context, stage core.Stage, _ []byte) error {
		if n := h.engine.Detects(); stage == comic.StageDetect && n <= len(faults) {
			return soon(faults[n-1])
		}
		return nil
	}
	require.Equal(t, 1, r.run(r.task(comic.ModeSplit, hello(0))).SuccessCount)
}

// The translator itself asks again for what is not fit, within its bounds. A step that did so too would multiply them.
func TestAnUnfitTranslationIsNotAskedForAgain(t *testing.T) {
	r := newRig(t)
	r.model.Before = func(context.Context, translate.Request) error {
		return core.NewError(core.CodeTranslationInvalid, "no fit translation").WithRetryAfter(time.Millisecond)
	}
	r.host(hostOptions{})
	in := r.task(comic.ModeSplit, hello(0))
	require.Equal(t, core.StatusError, r.run(in).Status)
	require.Equal(t, core.Failure{Stage: comic.StageTranslate, Code: core.CodeTranslationInvalid, Message: "no fit translation"},
		*r.pages(in)[0].Failure)
	require.Equal(t, []int{0}, r.model.Pages())
}
