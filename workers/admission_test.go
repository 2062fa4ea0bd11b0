package workers_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/activities/comic/enginetest"
	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/translate"
	"plait/workers"
	"plait/workflows"
)

// runAll runs chapters of so many pages side by side, and returns what all of them came to.
func (r *rig) runAll(chapters, pages int) (sum core.TaskResult) {
	r.t.Helper()
	var tasks []chapter
	for range chapters {
		in := r.task(comic.ModeSplit, chapterPages(pages)...)
		tasks = append(tasks, in)
		r.start(in)
	}
	for _, in := range tasks {
		result, err := r.wait(in)
		require.NoError(r.t, err)
		sum.TotalCount += result.TotalCount
		sum.SuccessCount += result.SuccessCount
		if n := result.Modes[comic.ModeFallback]; n > 0 {
			sum.Modes = map[core.Mode]int{comic.ModeFallback: sum.Modes[comic.ModeFallback] + n}
		}
	}
	return sum
}

func TestChaptersSideBySideDoNotEvictEachOther(t *testing.T) {
	r := newRig(t)
	most := 0
	var mu sync.Mutex
	var h *host
	r.model.Before = func(context.Context, translate.Request) error {
		mu.Lock()
		defer mu.Unlock()
		most = max(most, h.leases().Stats().Leases)
		return nil
	}
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	mu.Lock()
	h = r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, leases: lease.Config{Capacity: 4, Start: 4}})
	mu.Unlock()
	require.Equal(t, core.TaskResult{TotalCount: 48, SuccessCount: 48}, r.runAll(12, 4))
	require.Zero(t, h.leases().Stats().Evicted)
	require.Greater(t, most, 1, "pages are detected ahead")
}

// clock is the time of a cache. It goes on with each answer of the model alone, so that no machine is too slow for a test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Each answer takes a fifth of the time for which contexts are kept: were all that fit let in, half would expire. So long an answer ends
// after the pages of those before it have been rendered, however slow the machine of the test is.
func TestContextsDoNotExpireBehindASlowModel(t *testing.T) {
	r := newRig(t)
	c := &clock{now: time.Now()}
	engine := &enginetest.Engine{}
	r.model.Before = func(ctx context.Context, _ translate.Request) error {
		answered := r.model.Calls() - 1
		if err := until(ctx, func() bool { return engine.Renders() == answered }); err != nil {
			return err
		}
		c.advance(lease.DefaultTTL / 5)
		return nil
	}
	h := r.host(hostOptions{engine: engine, leases: lease.Config{Now: c.Now}})
	require.Equal(t, core.TaskResult{TotalCount: 36, SuccessCount: 36}, r.runAll(36, 1))
	require.Zero(t, h.leases().Stats().Expired)
}

// One page does not wait for a long chapter, and not even for the part of it that is detected ahead to be rendered.
func TestOnePageDoesNotWaitForALongChapter(t *testing.T) {
	r := newRig(t)
	const pages = 150
	r.host(hostOptions{slots: 2})
	chapter := r.task(comic.ModeSplit, chapterPages(pages)...)
	r.start(chapter)
	done := func() int {
		p, err := workflows.ProgressOf(t.Context(), r.client, chapter.TaskID)
		require.NoError(t, err)
		return p.Done
	}
	require.NoError(t, until(t.Context(), func() bool { return done() > 0 }))
	require.Equal(t, 1, r.run(r.task(comic.ModeSplit, hello(0))).SuccessCount)
	require.Less(t, done(), pages/2)
	require.NoError(t, workflows.Cancel(t.Context(), r.client, chapter.TaskID))
	_, err := r.wait(chapter)
	require.True(t, temporal.IsCanceledError(err), "%v", err)
}

// A full host leaves detects to one that has room.
func TestAFullHostTakesNoMoreDetects(t *testing.T) {
	r := newRig(t)
	asked, answer := make(chan struct{}, 10), make(chan struct{})
	r.model.Before = func(context.Context, translate.Request) error {
		asked <- struct{}{}
		<-answer
		return nil
	}
	r.host(hostOptions{roles: []workers.Role{workers.RoleControl, workers.RoleTranslate}})
	full := r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, leases: lease.Config{Capacity: 2}})
	first := r.task(comic.ModeSplit, hello(0))
	r.start(first)
	await(t, asked, "the first page at the model")
	other := r.host(hostOptions{roles: []workers.Role{workers.RoleGPU}, leases: lease.Config{Capacity: 2}})
	second := r.task(comic.ModeSplit, hello(1))
	r.start(second)
	require.NoError(t, until(t.Context(), func() bool { return other.leases().Stats().Leases == 1 }))
	close(answer)
	for _, in := range []chapter{first, second} {
		result, err := r.wait(in)
		require.NoError(t, err)
		require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 1, SuccessCount: 1}, result)
	}
	require.Equal(t, 1, full.engine.Detects())
}

// The first page fails at its first try, and the contexts of the pages after it leave no room for another page. Without room of
// its own, its second try would wait for theirs to expire.
func TestAPageThatOthersWaitForIsLetIn(t *testing.T) {
	r := newRig(t)
	engine := &enginetest.Engine{}
	engine.Before = func(context.Context, core.Stage, []byte) error {
		if engine.Detects() == 1 {
			return soon(core.CodeDevice)
		}
		return nil
	}
	h := r.host(hostOptions{engine: engine, leases: lease.Config{Capacity: 2}})
	in := r.task(comic.ModeSplit, chapterPages(3)...)
	require.Equal(t, core.TaskResult{Status: core.StatusSuccess, TotalCount: 3, SuccessCount: 3}, r.run(in))
	require.Equal(t, 4, engine.Detects())
	require.Equal(t, []int{0, 1, 2}, r.model.Pages())
	require.Zero(t, h.leases().Stats().Evicted)
	record(t, r, in, "detected-again")
}
