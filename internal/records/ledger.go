package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/core"
	"plait/internal/translate/ledger"
)

// LookupCall finds the recorded answer of a request, and reports whether there is one.
func (s *Store) LookupCall(ctx context.Context, key string) (ledger.Answer, bool, error) {
	var a ledger.Answer
	err := s.pool.QueryRow(ctx, `SELECT answer, answered_model, finish_reason, input_tokens, output_tokens
		FROM model_call WHERE request_key = $1 AND answer IS NOT NULL`, key).
		Scan(&a.Text, &a.Model, &a.FinishReason, &a.InputTokens, &a.OutputTokens)
	if errors.Is(err, pgx.ErrNoRows) {
		return ledger.Answer{}, false, nil
	}
	return a, err == nil, Wrap(err, "look up a model call")
}

// When two equal calls are made at the same time, the second is recorded for its cost, without its answer: every caller uses the
// first answer. A call that is recorded already, because only the acknowledgment of its commit was lost, changes nothing.
const recordCall = `
WITH call AS (
	SELECT coalesce(@id::uuid, gen_random_uuid()), @key::text, @tenant::text, @task::text, @item::integer, @provider::text, @model::text,
		@answered_model::text, @params::text, @input_tokens::integer, @output_tokens::integer, @estimated::boolean, @cost::bigint,
		@started::timestamptz, @latency::bigint, @outcome::text, @finish_reason::text
), first AS (
	INSERT INTO model_call (call_id, request_key, tenant, task_id, item_index, provider, model, answered_model, params,
		input_tokens, output_tokens, tokens_estimated, cost_micros, started_at, latency_ms, outcome, finish_reason, answer)
	SELECT *, @answer::text FROM call
	ON CONFLICT DO NOTHING
	RETURNING id
), second AS (
	INSERT INTO model_call (call_id, request_key, tenant, task_id, item_index, provider, model, answered_model, params,
		input_tokens, output_tokens, tokens_estimated, cost_micros, started_at, latency_ms, outcome, finish_reason)
	SELECT * FROM call WHERE NOT EXISTS (SELECT FROM first)
	ON CONFLICT (call_id) DO NOTHING
	RETURNING id
)
SELECT settle_tokens(@task, @tenant, @used) FROM (SELECT id FROM first UNION ALL SELECT id FROM second) recorded`

// RecordCall records a call, successful or not, and settles its tokens with what its task was charged. It may run twice with one call: the
// second run changes nothing, if the call has an ID.
func (s *Store) RecordCall(ctx context.Context, c ledger.Call) error {
	var id, answer *string
	if c.ID != "" {
		id = &c.ID
	}
	if c.Outcome == ledger.OutcomeOK {
		text := Clean(c.Answer.Text)
		answer = &text
	}
	_, err := s.pool.Exec(ctx, recordCall, pgx.NamedArgs{
		"id": id, "key": c.Key, "tenant": c.Tenant, "task": c.TaskID, "item": c.Page, "provider": c.Provider, "model": c.Model,
		"answered_model": Clean(c.Answer.Model), "params": Clean(c.Params),
		"input_tokens": c.Answer.InputTokens, "output_tokens": c.Answer.OutputTokens, "estimated": c.TokensEstimated,
		"cost": c.CostMicros, "started": c.StartedAt, "latency": c.Latency.Milliseconds(),
		"outcome": c.Outcome, "finish_reason": c.Answer.FinishReason, "answer": answer,
		"used": int64(c.Answer.InputTokens) + int64(c.Answer.OutputTokens),
	})
	return Wrap(err, "record a model call")
}

// TaskUsage is the usage of the model calls of a task.
type TaskUsage struct {
	// Actual counts the calls that this task paid for. Reused answers of earlier tasks cost nothing.
	Actual core.Usage
	// Estimated is the estimate for the items for which a model was called.
	Estimated core.Usage
}

// Usage reads the usage of a task so far.
func (s *Store) Usage(ctx context.Context, taskID string) (TaskUsage, error) {
	var u TaskUsage
	err := s.pool.QueryRow(ctx, `SELECT coalesce(sum(calls), 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0),
			coalesce(sum(cost_micros), 0)::bigint, coalesce(sum(estimated_calls), 0), coalesce(sum(estimated_input_tokens), 0),
			coalesce(sum(estimated_output_tokens), 0), coalesce(sum(estimated_cost_micros), 0)::bigint
		FROM cost_by_item WHERE task_id = $1`, taskID).
		Scan(&u.Actual.Calls, &u.Actual.InputTokens, &u.Actual.OutputTokens, &u.Actual.CostMicros,
			&u.Estimated.Calls, &u.Estimated.InputTokens, &u.Estimated.OutputTokens, &u.Estimated.CostMicros)
	return u, Wrap(err, "read the usage of a task")
}
