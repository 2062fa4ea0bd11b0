package workflows_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"plait/workflows"
)

// A share is Temporal's own: tenants of one priority key take turns by their weights.
func TestSharesArePrioritiesOfTemporal(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		tenant string
		share  workflows.Share
		want   temporal.Priority
	}{
		{"acme", workflows.Share{}, temporal.Priority{FairnessKey: "acme"}},
		{"acme", workflows.Share{PriorityKey: 1, FairnessWeight: 1}, temporal.Priority{PriorityKey: 1, FairnessKey: "acme", FairnessWeight: 1}},
		{"acme", workflows.Share{PriorityKey: 3, FairnessWeight: 1000}, temporal.Priority{PriorityKey: 3, FairnessKey: "acme", FairnessWeight: 1000}},
		{"acme", workflows.Share{PriorityKey: 1, FairnessWeight: 0.25}, temporal.Priority{PriorityKey: 1, FairnessKey: "acme", FairnessWeight: 0.25}},
		{"zoo", workflows.Share{PriorityKey: 5, FairnessWeight: 2}, temporal.Priority{PriorityKey: 5, FairnessKey: "zoo", FairnessWeight: 2}},
		{long, workflows.Share{PriorityKey: 5, FairnessWeight: 2}, temporal.Priority{PriorityKey: 5, FairnessKey: long[:64], FairnessWeight: 2}},
	} {
		require.Equal(t, c.want, workflows.PriorityOf(c.tenant, c.share))
	}
	urgent := workflows.InteractivePriority("acme", workflows.Share{PriorityKey: 2, FairnessWeight: 4})
	require.Equal(t, temporal.Priority{PriorityKey: 2, FairnessKey: "interactive/acme", FairnessWeight: 4}, urgent, "a queue of its own")
}
