-- Webhooks: where tenants are told of the ends of their tasks, and what became of each message.

-- +goose Up
CREATE TABLE webhook_secret (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz
);
CREATE UNIQUE INDEX webhook_secret_current ON webhook_secret (tenant) WHERE expires_at IS NULL;
CREATE INDEX webhook_secret_by_tenant ON webhook_secret (tenant, id);
COMMENT ON TABLE webhook_secret IS 'Secrets that sign the messages to a tenant: the current one, and those that it replaced lately.';
COMMENT ON COLUMN webhook_secret.id IS 'Number of the secret.';
COMMENT ON COLUMN webhook_secret.tenant IS 'Tenant whose messages it signs.';
COMMENT ON COLUMN webhook_secret.sealed IS 'The secret, encrypted with a key derived from temporal.payload_keys.';
COMMENT ON COLUMN webhook_secret.created_at IS 'When it was made.';
COMMENT ON COLUMN webhook_secret.expires_at IS 'Until when a secret that was replaced signs as well. NULL for the current one.';

CREATE TABLE webhook_endpoint (
    id           text PRIMARY KEY DEFAULT gen_random_uuid()::text CHECK (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
    tenant       text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    url          text NOT NULL CHECK (url <> ''),
    created_at   timestamptz NOT NULL DEFAULT now(),
    paused_at    timestamptz,
    pause_reason text,
    UNIQUE (tenant, url),
    CHECK ((paused_at IS NULL) = (pause_reason IS NULL))
);
COMMENT ON TABLE webhook_endpoint IS 'URLs that are told of the end of every task of a tenant.';
COMMENT ON COLUMN webhook_endpoint.id IS 'Id of the endpoint.';
COMMENT ON COLUMN webhook_endpoint.tenant IS 'Tenant whose tasks it is told of.';
COMMENT ON COLUMN webhook_endpoint.url IS 'URL that messages are posted to.';
COMMENT ON COLUMN webhook_endpoint.created_at IS 'When it was added.';
COMMENT ON COLUMN webhook_endpoint.paused_at IS 'Since when it receives nothing, because it counts as dead.';
COMMENT ON COLUMN webhook_endpoint.pause_reason IS 'Why, as one sentence.';

CREATE TABLE webhook_delivery (
    id              text PRIMARY KEY DEFAULT gen_random_uuid()::text CHECK (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
    tenant          text NOT NULL,
    endpoint_id     text,
    url             text NOT NULL,
    task_id         text NOT NULL,
    type            text NOT NULL,
    data            jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    status          text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'paused')),
    round           integer NOT NULL DEFAULT 0 CHECK (round >= 0),
    attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_status     smallint,
    last_error      text,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at      timestamptz,
    last_attempt_at timestamptz,
    ended_at        timestamptz,
    CHECK ((ended_at IS NOT NULL) = (status IN ('delivered', 'failed')))
);
CREATE INDEX webhook_delivery_by_tenant ON webhook_delivery (tenant, created_at DESC, id DESC);
CREATE INDEX webhook_delivery_by_task ON webhook_delivery (task_id, created_at DESC, id DESC);
CREATE INDEX webhook_delivery_by_endpoint ON webhook_delivery (endpoint_id, status);
CREATE INDEX webhook_delivery_unstarted ON webhook_delivery (created_at, id) WHERE status = 'pending' AND started_at IS NULL;
CREATE INDEX webhook_delivery_pending ON webhook_delivery (created_at) WHERE status = 'pending';
CREATE INDEX webhook_delivery_old ON webhook_delivery (coalesce(ended_at, created_at)) WHERE status <> 'pending';
COMMENT ON TABLE webhook_delivery IS 'Messages to webhooks, and what became of them. The workflow webhook-ID, or webhook-ID-ROUND, sends one.';
COMMENT ON COLUMN webhook_delivery.id IS 'Id of the delivery, which receivers get as webhook-id.';
COMMENT ON COLUMN webhook_delivery.tenant IS 'Owner of the task.';
COMMENT ON COLUMN webhook_delivery.endpoint_id IS 'Endpoint that it is for, which may be deleted since; NULL for the callback_url of the task.';
COMMENT ON COLUMN webhook_delivery.url IS 'URL that it is posted to.';
COMMENT ON COLUMN webhook_delivery.task_id IS 'Task that the message is about, which may be deleted since.';
COMMENT ON COLUMN webhook_delivery.type IS 'What happened, as event.type.';
COMMENT ON COLUMN webhook_delivery.data IS 'State of the task after it, as event.data.';
COMMENT ON COLUMN webhook_delivery.status IS 'pending (it is being tried), delivered (answered with 2xx), failed (given up) or paused (its endpoint is).';
COMMENT ON COLUMN webhook_delivery.round IS 'How often sending has begun anew: by a replay, or because its endpoint was resumed.';
COMMENT ON COLUMN webhook_delivery.attempts IS 'Number of requests sent, in all rounds.';
COMMENT ON COLUMN webhook_delivery.last_status IS 'HTTP status of the last answer; NULL when the last attempt had none.';
COMMENT ON COLUMN webhook_delivery.last_error IS 'Why the last attempt failed, as one sentence.';
COMMENT ON COLUMN webhook_delivery.created_at IS 'When it happened.';
COMMENT ON COLUMN webhook_delivery.started_at IS 'When the workflow of this round was started.';
COMMENT ON COLUMN webhook_delivery.last_attempt_at IS 'When the last attempt ended.';
COMMENT ON COLUMN webhook_delivery.ended_at IS 'When it was delivered or given up.';

-- A trigger, so that no end of a task goes without its messages: they are written in the transaction that ends the task.
-- +goose StatementBegin
CREATE FUNCTION write_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- An endpoint that is being paused or deleted settles its deliveries afterwards: it must see this one.
    INSERT INTO webhook_delivery (tenant, endpoint_id, url, task_id, type, data, status, created_at)
    SELECT NEW.tenant, e.id, e.url, NEW.task_id, NEW.type, NEW.data, CASE WHEN e.paused_at IS NULL THEN 'pending' ELSE 'paused' END, NEW.created_at
    FROM (SELECT * FROM webhook_endpoint WHERE tenant = NEW.tenant ORDER BY id FOR SHARE) e;
    INSERT INTO webhook_delivery (tenant, url, task_id, type, data, status, created_at)
    SELECT NEW.tenant, callback_url, NEW.task_id, NEW.type, NEW.data, 'pending', NEW.created_at
    FROM task WHERE id = NEW.task_id AND callback_url IS NOT NULL;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION write_deliveries() IS 'Writes a delivery of an event to each endpoint of its tenant, and to the callback_url of its task.';
CREATE TRIGGER event_deliveries AFTER INSERT ON event FOR EACH ROW WHEN (NEW.type = 'task.ended') EXECUTE FUNCTION write_deliveries();

-- +goose Down
DROP TRIGGER event_deliveries ON event;
DROP FUNCTION write_deliveries();
DROP TABLE webhook_delivery, webhook_endpoint, webhook_secret;
