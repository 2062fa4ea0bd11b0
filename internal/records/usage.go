package records

import (
	"context"

	"plait/internal/core"
)

// TaskUsage is what the model calls of a task took.
type TaskUsage struct {
	// Actual counts the calls that were paid for this task; an answer that an earlier task paid for costs nothing.
	Actual core.Usage
	// Estimated is what its pages should have taken, for those that a model was asked for.
	Estimated core.Usage
}

// Usage reads what the model calls of a task took so far.
func (s *Store) Usage(ctx context.Context, taskID string) (TaskUsage, error) {
	var u TaskUsage
	err := s.pool.QueryRow(ctx, `SELECT coalesce(sum(calls), 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),
			coalesce(sum(cost_micros), 0)::bigint, coalesce(sum(estimated_calls), 0), coalesce(sum(estimated_input_tokens), 0),
			coalesce(sum(estimated_output_tokens), 0), coalesce(sum(estimated_cost_micros), 0)::bigint
		FROM cost_by_page WHERE task_id = $1`, taskID).
		Scan(&u.Actual.Calls, &u.Actual.InputTokens, &u.Actual.OutputTokens, &u.Actual.CostMicros,
			&u.Estimated.Calls, &u.Estimated.InputTokens, &u.Estimated.OutputTokens, &u.Estimated.CostMicros)
	return u, wrap(err, "read the usage of a task")
}
