-- Idempotency keys of requests that create no task; those of tasks are in task.idempotency_key.

-- +goose Up
CREATE TABLE idempotent_request (
    tenant        text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    route         text NOT NULL CHECK (route <> ''),
    key           text NOT NULL CHECK (key <> ''),
    claim         uuid NOT NULL,
    claimed_until timestamptz NOT NULL,
    took_effect   boolean NOT NULL DEFAULT false,
    fingerprint   bytea,
    status        smallint,
    answer        bytea,
    expires_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant, route, key),
    CHECK ((status IS NULL) = (answer IS NULL) AND (status IS NULL) = (fingerprint IS NULL))
);
CREATE INDEX idempotent_request_by_claim ON idempotent_request (claim);
CREATE INDEX idempotent_request_by_expiry ON idempotent_request (expires_at);
COMMENT ON TABLE idempotent_request IS 'Requests with an Idempotency-Key that are under way or succeeded, with their answers. Each is kept for a day.';
COMMENT ON COLUMN idempotent_request.tenant IS 'Tenant whose key it is.';
COMMENT ON COLUMN idempotent_request.route IS 'Route of the request, such as /v1/tasks/:id/pause. The same key on another route is another request.';
COMMENT ON COLUMN idempotent_request.key IS 'The Idempotency-Key.';
COMMENT ON COLUMN idempotent_request.claim IS 'Id of the attempt that carries the request out.';
COMMENT ON COLUMN idempotent_request.claimed_until IS 'When another attempt may carry it out, unless it has an answer.';
COMMENT ON COLUMN idempotent_request.took_effect IS 'Whether what must not happen twice has happened.';
COMMENT ON COLUMN idempotent_request.fingerprint IS 'SHA-256 of path and body. NULL before the answer.';
COMMENT ON COLUMN idempotent_request.status IS 'HTTP status of the answer. NULL before the answer.';
COMMENT ON COLUMN idempotent_request.answer IS 'Headers and body of the answer, encrypted with a key derived from temporal.payload_keys. NULL before the answer.';
COMMENT ON COLUMN idempotent_request.expires_at IS 'When the key may be used for another request.';

-- +goose StatementBegin
CREATE FUNCTION take_effect(by uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE idempotent_request SET took_effect = true WHERE claim = by;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'another attempt carries this request out' USING ERRCODE = 'PL001';
    END IF;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION take_effect(uuid) IS 'Records that the request of a claim took effect. Fails with SQLSTATE PL001 when another attempt has claimed it since, and so ends the transaction.';

-- +goose Down
DROP FUNCTION take_effect(uuid);
DROP TABLE idempotent_request;
