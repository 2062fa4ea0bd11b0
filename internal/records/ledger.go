package records

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plait/internal/translate/ledger"
)

// LookupCall finds the recorded answer of a question.
func (s *Store) LookupCall(ctx context.Context, key string) (ledger.Answer, bool, error) {
	var a ledger.Answer
	err := s.pool.QueryRow(ctx, `SELECT answer, answered_model, finish_reason, input_tokens, output_tokens
		FROM model_call WHERE request_key = $1 AND answer IS NOT NULL`, key).
		Scan(&a.Text, &a.Model, &a.FinishReason, &a.InputTokens, &a.OutputTokens)
	if errors.Is(err, pgx.ErrNoRows) {
		return ledger.Answer{}, false, nil
	}
	return a, err == nil, wrap(err, "look up a model call")
}

// The second of two equal calls that were made at once is kept for its cost, without its answer: the first answer is the
// one that everybody takes.
const recordCall = `
WITH call AS (
	SELECT @key::text, @tenant::text, @task::text, @page::integer, @provider::text, @model::text, @answered_model::text, @params::text,
		@input_tokens::integer, @output_tokens::integer, @estimated::boolean, @cost::bigint, @started::timestamptz, @latency::bigint,
		@outcome::text, @finish_reason::text
), first AS (
	INSERT INTO model_call (request_key, tenant, task_id, page_index, provider, model, answered_model, params,
		input_tokens, output_tokens, tokens_estimated, cost_micros, started_at, latency_ms, outcome, finish_reason, answer)
	SELECT *, @answer::text FROM call
	ON CONFLICT (request_key) WHERE answer IS NOT NULL DO NOTHING
	RETURNING id
)
INSERT INTO model_call (request_key, tenant, task_id, page_index, provider, model, answered_model, params,
	input_tokens, output_tokens, tokens_estimated, cost_micros, started_at, latency_ms, outcome, finish_reason)
SELECT * FROM call WHERE NOT EXISTS (SELECT FROM first)`

// RecordCall writes a call, successful or not.
func (s *Store) RecordCall(ctx context.Context, c ledger.Call) error {
	var answer *string
	if c.Outcome == ledger.OutcomeOK {
		text := clean(c.Answer.Text)
		answer = &text
	}
	_, err := s.pool.Exec(ctx, recordCall, pgx.NamedArgs{
		"key": c.Key, "tenant": c.Tenant, "task": c.TaskID, "page": c.Page, "provider": c.Provider, "model": c.Model,
		"answered_model": clean(c.Answer.Model), "params": clean(c.Params),
		"input_tokens": c.Answer.InputTokens, "output_tokens": c.Answer.OutputTokens, "estimated": c.TokensEstimated,
		"cost": c.CostMicros, "started": c.StartedAt, "latency": c.Latency.Milliseconds(),
		"outcome": c.Outcome, "finish_reason": c.Answer.FinishReason, "answer": answer,
	})
	return wrap(err, "record a model call")
}
