-- Calls of models: the ledger, and the budgets of accounts at providers.

-- +goose Up
CREATE TABLE model_call (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call_id          uuid NOT NULL DEFAULT gen_random_uuid(),
    request_key      text NOT NULL CHECK (request_key <> ''),
    tenant           text NOT NULL,
    task_id          text NOT NULL DEFAULT '',
    item_index       integer NOT NULL DEFAULT 0,
    provider         text NOT NULL,
    model            text NOT NULL,
    answered_model   text NOT NULL DEFAULT '',
    params           text NOT NULL DEFAULT '',
    input_tokens     integer NOT NULL DEFAULT 0 CHECK (input_tokens >= 0),
    output_tokens    integer NOT NULL DEFAULT 0 CHECK (output_tokens >= 0),
    tokens_estimated boolean NOT NULL DEFAULT false,
    cost_micros      bigint NOT NULL DEFAULT 0 CHECK (cost_micros >= 0),
    started_at       timestamptz NOT NULL,
    latency_ms       bigint NOT NULL DEFAULT 0 CHECK (latency_ms >= 0),
    outcome          text NOT NULL CHECK (outcome <> ''),
    finish_reason    text NOT NULL DEFAULT '',
    answer           text,
    CHECK (answer IS NULL OR outcome = 'ok')
);
CREATE UNIQUE INDEX model_call_by_call_id ON model_call (call_id);
CREATE UNIQUE INDEX model_call_answer ON model_call (request_key) WHERE answer IS NOT NULL;
CREATE INDEX model_call_by_time ON model_call (started_at);
CREATE INDEX model_call_by_task ON model_call (task_id);
CREATE INDEX model_call_answered ON model_call (started_at) WHERE answer IS NOT NULL;
COMMENT ON TABLE model_call IS 'Every call of a language model, failed ones included, and every video of a model with a price. A row outlives its task, without its answer.';
COMMENT ON COLUMN model_call.id IS 'Number of the call.';
COMMENT ON COLUMN model_call.call_id IS 'Identity of the call, given by its caller. A call that is recorded again after an outage keeps its one row.';
COMMENT ON COLUMN model_call.request_key IS 'Digest of the tenant and of everything that shapes the answer. A request whose answer is kept is not paid for again.';
COMMENT ON COLUMN model_call.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN model_call.task_id IS 'Task that the call was made for; it may be deleted since.';
COMMENT ON COLUMN model_call.item_index IS 'Item that the call was made for.';
COMMENT ON COLUMN model_call.provider IS 'Provider that was called; for a video, its engine.';
COMMENT ON COLUMN model_call.model IS 'Model that was requested.';
COMMENT ON COLUMN model_call.answered_model IS 'Model that answered, by the provider''s own name.';
COMMENT ON COLUMN model_call.params IS 'Other parameters of the request, as canonical JSON; no text of the item.';
COMMENT ON COLUMN model_call.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN model_call.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN model_call.tokens_estimated IS 'True when the provider reported no usage and tokens are estimated from characters.';
COMMENT ON COLUMN model_call.cost_micros IS 'Cost in millionths of the currency of the price table; 0 when the price is not known.';
COMMENT ON COLUMN model_call.started_at IS 'When the request was sent.';
COMMENT ON COLUMN model_call.latency_ms IS 'Milliseconds from the request to the last byte of the answer.';
COMMENT ON COLUMN model_call.outcome IS 'ok, or the code of the failure.';
COMMENT ON COLUMN model_call.finish_reason IS 'Why the model stopped: stop, length or content_filter.';
COMMENT ON COLUMN model_call.answer IS 'The answer as received. Null when the call failed, when an equal request was answered before, and after the task is deleted.';

-- Unlogged: rows that a crash of the database loses would have left the window within a minute.
CREATE UNLOGGED TABLE provider_call (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account  text NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tokens   bigint NOT NULL CHECK (tokens >= 0)
);
CREATE INDEX provider_call_by_account ON provider_call (account, taken_at);
COMMENT ON TABLE provider_call IS 'Calls of the last minute by provider account, where a budget is set.';
COMMENT ON COLUMN provider_call.id IS 'Number of the reservation.';
COMMENT ON COLUMN provider_call.account IS 'Provider, address and a digest of the key.';
COMMENT ON COLUMN provider_call.taken_at IS 'When the call was admitted; it counts for a minute.';
COMMENT ON COLUMN provider_call.tokens IS 'Tokens: estimated at first, actual once the call has ended.';

-- +goose Down
DROP TABLE provider_call, model_call;
