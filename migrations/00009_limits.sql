-- What accounts at providers took within the last minute, and what a page waits for.

-- +goose Up
-- Unlogged: what a crash of the database forgets would have left the window within a minute.
CREATE UNLOGGED TABLE provider_call (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account  text NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    tokens   bigint NOT NULL CHECK (tokens >= 0)
);
CREATE INDEX provider_call_by_account ON provider_call (account, taken_at);
COMMENT ON TABLE provider_call IS 'Calls of the last minute by the account that they were taken from, where a budget is set.';
COMMENT ON COLUMN provider_call.id IS 'Names a reservation until its call has ended.';
COMMENT ON COLUMN provider_call.account IS 'Provider, address and a digest of the key.';
COMMENT ON COLUMN provider_call.taken_at IS 'When the call was let through; it counts for a minute.';
COMMENT ON COLUMN provider_call.tokens IS 'Tokens: estimated, and those that the call took once it has ended.';

ALTER TABLE stage_run ADD COLUMN message text;
COMMENT ON COLUMN stage_run.message IS 'One sentence about code, fit for a client.';

-- +goose Down
ALTER TABLE stage_run DROP COLUMN message;
DROP TABLE provider_call;
