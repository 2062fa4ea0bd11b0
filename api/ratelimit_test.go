package api_test

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func limit(n int64) *int64 { return &n }

// tier moves the tenant of the caller to a tier with these limits.
func (c caller) tier(l quota.Limits) caller {
	c.t.Helper()
	tier := records.NewTier("tier-of-" + c.tenant)
	tier.Limits = l
	_, err := c.records.SetTier(c.t.Context(), tier)
	require.NoError(c.t, err)
	_, err = c.records.SetTenant(c.t.Context(), c.tenant, records.TenantChange{Tier: &tier.Name})
	require.NoError(c.t, err)
	return c
}

// rate reads a header of a rate.
func (a answer) rate(what, unit string) int {
	a.t.Helper()
	n, err := strconv.Atoi(a.header.Get("X-RateLimit-" + what + "-" + unit))
	require.NoError(a.t, err, "%v", a.header)
	return n
}

func TestRequestsBeyondTheRateAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	free, c := r.caller("free"), r.caller("acme").tier(quota.Limits{RequestsPerMinute: limit(3)})
	second := newServerBeside(r).as(c)
	for i, from := range []caller{c, second, c} {
		a := from.get(tasksRoute + "/unknown").is(http.StatusNotFound)
		require.Equal(t, []int{3, 2 - i}, []int{a.rate("Limit", "Requests"), a.rate("Remaining", "Requests")})
		require.Contains(t, []int{60, 61}, a.rate("Reset", "Requests"))
	}
	for _, from := range []caller{c, second} {
		a := from.get(tasksRoute).refused(http.StatusTooManyRequests, core.CodeRateLimited, "the limit requests_per_minute is reached")
		wait, err := strconv.Atoi(a.header.Get("Retry-After"))
		require.NoError(t, err)
		require.InDelta(t, 60, wait, 10)
		require.Zero(t, a.rate("Remaining", "Requests"))
	}
	a := free.get(tasksRoute).is(http.StatusOK)
	require.Empty(t, a.header.Get("X-RateLimit-Limit-Requests"), "its tier has no such limit")
	caller{r, "", "plait_wrong"}.get(tasksRoute).is(http.StatusUnauthorized)
}

func TestTasksBeyondTheLimitsLeaveNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	form := func(i int) []part { return toEnglish(image("1.png", page(t, strconv.Itoa(i)))) }

	c := r.caller("tokens").tier(quota.Limits{TokensPerMinute: limit(2500)})
	a := c.post(form(1), "Idempotency-Key: k").is(http.StatusAccepted)
	require.Equal(t, []int{2500, 1500}, []int{a.rate("Limit", "Tokens"), a.rate("Remaining", "Tokens")})
	require.Equal(t, 1500, c.get(tasksRoute).is(http.StatusOK).rate("Remaining", "Tokens"))
	a = c.post(form(1), "Idempotency-Key: k").is(http.StatusOK)
	require.Equal(t, 1500, a.rate("Remaining", "Tokens"), "a repetition costs nothing")
	c.post(form(2)).is(http.StatusAccepted)
	before, files := r.left()
	a = c.post(form(3)).refused(http.StatusTooManyRequests, core.CodeRateLimited, "the limit tokens_per_minute is reached")
	require.NotEmpty(t, a.header.Get("Retry-After"))
	after, filesAfter := r.left()
	require.Equal(t, before, after)
	require.Equal(t, files, filesAfter)

	waits := r.caller("waits").tier(quota.Limits{WaitingTasks: limit(1)})
	waits.post(form(4)).is(http.StatusAccepted)
	waits.post(form(5)).refused(http.StatusTooManyRequests, core.CodeRateLimited, "the limit waiting_tasks is reached: the tier of this tenant allows 1")

	runs := r.caller("runs").tier(quota.Limits{RunningTasks: limit(1)})
	first, second := runs.post(form(6)).is(http.StatusAccepted).task(), runs.post(form(7)).is(http.StatusAccepted).task()
	require.Positive(t, runs.get(tasksRoute+"/"+second.ID).is(http.StatusOK).task().Progress.QueuePosition)
	runs.do(http.MethodDelete, tasksRoute+"/"+second.ID, nil).is(http.StatusAccepted)
	require.Equal(t, core.StatusCanceled, runs.get(tasksRoute+"/"+second.ID).task().Status, "it had no workflow")
	require.Equal(t, core.StatusQueued, runs.get(tasksRoute+"/"+first.ID).task().Status)

	require.NoError(t, testutil.GatherAndCompare(r.registry, strings.NewReader(`
# HELP plait_limit_refusals_total Requests refused by limits of tiers, by name, and by those of the process (limit "process").
# TYPE plait_limit_refusals_total counter
plait_limit_refusals_total{limit="tokens_per_minute"} 1
plait_limit_refusals_total{limit="waiting_tasks"} 1
`), "plait_limit_refusals_total"))
}

func TestUploadsBeyondTheTierAreTooLarge(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme").tier(quota.Limits{UploadBytes: limit(10_000)})
	large := make([]byte, 10_001)
	c.do(http.MethodPost, "/v1/blobs", reader(large)).refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "10000")
	c.post(toEnglish(image("1.png", large))).refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "10000")
	r.nothingLeft()
	c.do(http.MethodPost, "/v1/blobs", reader(large[:10_000])).is(http.StatusCreated)
	r.caller("other").do(http.MethodPost, "/v1/blobs", reader(large)).is(http.StatusCreated)
}

// startAsOthersEnd has five tasks of which two may run: the others start one by one as those before them end.
func startAsOthersEnd(w *world, c caller) {
	t := c.t
	c.tier(quota.Limits{RunningTasks: limit(2)})
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- w.server.Tasks.RunSweeper(ctx, time.Hour) }() // the sweeps do not come to the aid
	defer func() {
		cancel()
		require.NoError(t, <-done)
	}()
	var paths []string
	for i := range 5 {
		a := c.post(toEnglish(image("1.png", page(t, "gate:running "+strconv.Itoa(i))))).is(http.StatusAccepted)
		paths = append(paths, a.header.Get("Location"))
	}
	for _, path := range paths[:2] {
		c.until(path, func(t chapter) bool { return t.Status == core.StatusRunning })
	}
	for _, path := range paths[2:] {
		task := c.get(path).is(http.StatusOK).task()
		require.Equal(t, core.StatusQueued, task.Status)
		require.Positive(t, task.Progress.QueuePosition)
	}
	for i, path := range paths {
		close(w.engine.gates.gate("running " + strconv.Itoa(i)))
		require.Equal(t, core.StatusSuccess, c.untilEnded(path).Status)
		if i == 1 { // the next two have the places
			start := c.get(paths[4]).is(http.StatusOK).task().Progress.EstimatedStart
			require.NotNil(t, start)
			require.Less(t, time.Until(*start), patience)
		}
	}
	require.Equal(t, []string{"2"}, recordstest.Rows(t, w.url, `SELECT max((SELECT count(*) FROM task o
		WHERE o.tenant = t.tenant AND o.started_at <= t.started_at AND o.ended_at > t.started_at)) FROM task t WHERE tenant = $1`, c.tenant))
}
