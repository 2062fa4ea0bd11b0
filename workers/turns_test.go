package workers_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/lease"
	"plait/internal/records"
	"plait/internal/translate"
	"plait/workflows"
)

// Among the tasks of a tenant, the better priority goes first.
func TestPriorityOrdersTheTasksOfATenant(t *testing.T) {
	r := newRig(t)
	var queued []chapter
	for i, priority := range []int{0, core.LastPriority, 0, core.FirstPriority} {
		queued = append(queued, r.taskOf(tenant, priority, hello(i)))
	}
	require.Equal(t, []string{queued[0].TaskID, queued[3].TaskID, queued[2].TaskID, queued[1].TaskID}, askedFor(t, r, queued))
}

// A tenant who comes later does not wait for all that another has in the queue, whatever priority that has.
func TestTenantsTakeTurnsBeforePriorities(t *testing.T) {
	r := newRig(t)
	var queued []chapter
	for i := range 6 {
		queued = append(queued, r.taskOf(tenant, core.FirstPriority, hello(i)))
	}
	queued = append(queued, r.taskOf("another", core.LastPriority, hello(6)))
	order := askedFor(t, r, queued)
	require.Contains(t, order[1:3], queued[6].TaskID, "behind one of the other's at most")
}

// A tier of a better priority comes before all others, and of tenants of one priority that of the greater weight more often.
func TestTiersComeByPriorityAndTenantsByWeight(t *testing.T) {
	r := newRig(t)
	var queued []chapter
	of := func(tenant string, share workflows.Share, n int) (ids []string) {
		for range n {
			in := r.taskOf(tenant, 0, hello(len(queued)))
			in.share = share
			queued, ids = append(queued, in), append(ids, in.TaskID)
		}
		return ids
	}
	light := of(tenant, workflows.Share{PriorityKey: 3, FairnessWeight: 1}, 4)
	heavy := of("heavy", workflows.Share{PriorityKey: 3, FairnessWeight: 100}, 2)
	first := of("first", workflows.Share{PriorityKey: 1, FairnessWeight: 1}, 2)
	last := of("last", workflows.Share{PriorityKey: 5, FairnessWeight: 1000}, 1)
	order := askedFor(t, r, queued)[1:] // the first was there alone
	require.ElementsMatch(t, first, order[:2])
	require.Subset(t, order[2:5], heavy, "behind one of the light tenant at most")
	require.Equal(t, last[0], order[len(order)-1])
	require.Subset(t, order, light[1:])
}

// The ten priorities of tiers are five that come one after the other, and in each a tenant of the second has one turn for four of the first.
func TestTenPrioritiesAreServedInPairs(t *testing.T) {
	r := newRig(t)
	var queued []chapter
	tenants := map[string]string{} // by task
	of := func(tenant string, priority, n int) {
		tier := records.NewTier(tenant)
		tier.Priority = priority
		_, err := r.records.SetTier(t.Context(), tier)
		require.NoError(t, err)
		_, err = r.records.SetTenant(t.Context(), tenant, records.TenantChange{Tier: &tenant})
		require.NoError(t, err)
		for range n {
			in := r.taskOf(tenant, 0, hello(len(queued)))
			_, share, err := r.records.DispatchTask(t.Context(), in.TaskID)
			require.NoError(t, err)
			in.share = workflows.Share(share)
			queued, tenants[in.TaskID] = append(queued, in), tenant
		}
	}
	of("seventh", 7, 2)
	of("sixth", 6, 2)
	of("fifth", 5, 3)
	of("fourth", 4, 1)
	of("first", 1, 1)
	var order []string
	for _, id := range askedFor(t, r, queued)[1:] { // the first was there alone
		order = append(order, tenants[id])
	}
	require.Equal(t, []string{"first", "fourth"}, order[:2])
	require.Equal(t, []string{"sixth", "seventh"}, order[6:], "its second turn is as late as the eighth of the fifth: %v", order)
}

// Two hundred tasks of a tenant, of the best priority, are there before the one of another: that one is at the model among the first,
// behind the pages that were detected before it came.
func TestATenantDoesNotWaitForTwoHundredTasksOfAnother(t *testing.T) {
	const many = 200
	r := newRig(t)
	asked, answer := make(chan struct{}, many+1), make(chan struct{})
	r.model.Before = func(context.Context, translate.Request) error {
		asked <- struct{}{}
		<-answer
		return nil
	}
	r.host(hostOptions{})
	for i := range many {
		in := r.taskOf(tenant, core.FirstPriority, hello(i))
		r.start(in)
		t.Cleanup(func() {
			_ = r.client.TerminateWorkflow(context.WithoutCancel(t.Context()), in.TaskID, "", "the test is over")
		})
	}
	await(t, asked, "a task at the model")
	late := r.taskOf("another", core.LastPriority, hello(many))
	r.start(late)
	require.NoError(t, until(t.Context(), func() bool {
		return slices.Contains([]string{comic.StepDetect, comic.StepTranslate}, r.pending(late))
	}))
	require.Equal(t, 1, r.model.Calls(), "the others wait as well")
	close(answer)
	_, err := r.wait(late)
	require.NoError(t, err)
	before := slices.IndexFunc(r.model.Requests(), func(q translate.Request) bool { return q.Page.TaskID == late.TaskID })
	t.Logf("%d of %d came before it", before, many)
	require.Less(t, before, 2*lease.DefaultCapacity)
}

// askedFor queues tasks of one page for a model that begins to answer once all of them are there, and returns the order in which
// it was asked.
func askedFor(t *testing.T, r *rig, queued []chapter) (order []string) {
	t.Helper()
	asked, answer := make(chan struct{}, len(queued)), make(chan struct{})
	r.model.Before = func(context.Context, translate.Request) error {
		asked <- struct{}{}
		<-answer
		return nil
	}
	r.host(hostOptions{leases: lease.Config{Start: lease.DefaultCapacity}})
	for i, in := range queued {
		r.start(in)
		if i == 0 {
			await(t, asked, "the first task at the model")
			continue
		}
		require.NoError(t, until(t.Context(), func() bool { return r.pending(in) == comic.StepTranslate }))
	}
	close(answer)
	for _, in := range queued {
		_, err := r.wait(in)
		require.NoError(t, err)
	}
	for _, request := range r.model.Requests() {
		order = append(order, request.Page.TaskID)
	}
	return order
}

// pending is the step that a task of one page waits for.
func (r *rig) pending(in chapter) string {
	description, err := r.client.DescribeWorkflowExecution(r.t.Context(), in.TaskID, "")
	require.NoError(r.t, err)
	for _, step := range description.GetPendingActivities() {
		return step.GetActivityType().GetName()
	}
	return ""
}
