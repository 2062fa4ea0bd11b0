-- The identity of a model call. A record whose commit is not acknowledged is written again, and must be the same row.

-- +goose Up
ALTER TABLE model_call ADD COLUMN call_id uuid NOT NULL DEFAULT gen_random_uuid();
CREATE UNIQUE INDEX model_call_by_call_id ON model_call (call_id);
COMMENT ON COLUMN model_call.call_id IS 'Identity of the call, given by its caller. A call that is recorded again after an outage keeps its one row.';

-- +goose Down
ALTER TABLE model_call DROP COLUMN call_id;
