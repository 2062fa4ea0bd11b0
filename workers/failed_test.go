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
	"plait/internal/translate"
)

// The context expires while a model answers, and the compensating branch fails in its turn.
func TestAFallbackThatFails(t *testing.T) {
	r := newRig(t)
	var late atomic.Int64
	engine := &enginetest.Engine{}
	engine.Before = func(context.Context, core.Stage, []byte) error {
		if engine.Detects() > 1 {
			return core.NewError(core.CodeModelMissing, "a model is missing")
		}
		return nil
	}
	r.model.Before = func(context.Context, translate.Request) error {
		late.Store(int64(time.Hour))
		return nil
	}
	r.host(hostOptions{engine: engine, leases: lease.Config{
		Now: func() time.Time { return time.Now().Add(time.Duration(late.Load())) },
	}})
	in := r.task(comic.ModeSplit, hello(0))
	require.Equal(t, core.TaskResult{Status: core.StatusError, TotalCount: 1, FailedCount: 1}, r.run(in))
	require.Equal(t, core.Failure{Stage: comic.StageFallback, Code: core.CodeModelMissing, Message: "a model is missing"},
		*r.pages(in)[0].Failure)
	require.Equal(t, comic.ModeFallback, r.pages(in)[0].Mode)
	record(t, r, in, "fallback-failed")
}
