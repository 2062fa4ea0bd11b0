package workflows_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/workflows"
)

// The priority of a tier is Temporal's own, and its weight shares the turns of tenants within one.
func TestTiersHaveThePrioritiesOfTemporal(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		tenant string
		share  workflows.Share
		want   temporal.Priority
	}{
		{"acme", workflows.Share{}, temporal.Priority{FairnessKey: "acme"}},
		{"acme", workflows.Share{Priority: 1, Weight: 1}, temporal.Priority{PriorityKey: 1, FairnessKey: "acme", FairnessWeight: 1}},
		{"acme", workflows.Share{Priority: 3, Weight: 1000}, temporal.Priority{PriorityKey: 3, FairnessKey: "acme", FairnessWeight: 1000}},
		{"zoo", workflows.Share{Priority: 5, Weight: 2}, temporal.Priority{PriorityKey: 5, FairnessKey: "zoo", FairnessWeight: 2}},
		{long, workflows.Share{Priority: 5, Weight: 2}, temporal.Priority{PriorityKey: 5, FairnessKey: long[:64], FairnessWeight: 2}},
	} {
		require.Equal(t, c.want, workflows.PriorityOf(c.tenant, c.share))
	}
	urgent := workflows.InteractivePriority("acme", workflows.Share{Priority: 2, Weight: 4})
	require.Equal(t, temporal.Priority{PriorityKey: 2, FairnessKey: "interactive/acme", FairnessWeight: 4}, urgent, "a queue of its own")
}
