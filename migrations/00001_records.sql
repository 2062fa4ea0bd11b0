-- Tasks, their pages and regions, what ran where, what was asked of models, and who may ask.
--
-- Names: a page is (task_id, page_index), a region is (task_id, page_index, region_index); both indices count from 0.
-- A blob is named by its content: 'sha256:' and 64 hexadecimal digits. Times are timestamptz, durations milliseconds.

-- +goose Up
CREATE TABLE api_key (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    name         text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
    prefix       text NOT NULL,
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_key_by_tenant ON api_key (tenant, id);

CREATE TABLE task (
    id                  text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
    tenant              text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    kind                text NOT NULL CHECK (kind IN ('comic')),
    title               text NOT NULL DEFAULT '',
    options             jsonb NOT NULL,
    from_lang           text GENERATED ALWAYS AS (options ->> 'from') STORED NOT NULL,
    to_lang             text GENERATED ALWAYS AS (options ->> 'to') STORED NOT NULL,
    mode                text GENERATED ALWAYS AS (options ->> 'mode') STORED NOT NULL CHECK (mode IN ('split', 'unified')),
    translator          text GENERATED ALWAYS AS (options ->> 'translator') STORED,
    script_blob         text GENERATED ALWAYS AS (options ->> 'script') STORED,
    status              text NOT NULL DEFAULT 'queued'
                        CHECK (status IN ('queued', 'running', 'success', 'partial', 'error', 'canceled')),
    total_count         integer NOT NULL CHECK (total_count > 0),
    success_count       integer NOT NULL DEFAULT 0 CHECK (success_count >= 0),
    failed_count        integer NOT NULL DEFAULT 0 CHECK (failed_count >= 0),
    fallback_count      integer NOT NULL DEFAULT 0 CHECK (fallback_count >= 0),
    failure_stage       text,
    failure_code        text,
    failure_message     text,
    idempotency_key     text CHECK (char_length(idempotency_key) BETWEEN 1 AND 255),
    request_hash        text NOT NULL DEFAULT '',
    created_at          timestamptz NOT NULL DEFAULT now(),
    started_at          timestamptz,
    ended_at            timestamptz,
    updated_at          timestamptz NOT NULL DEFAULT now(),
    cancel_requested_at timestamptz,
    CHECK (success_count + failed_count <= total_count),
    CHECK ((ended_at IS NOT NULL) = (status IN ('success', 'partial', 'error', 'canceled'))),
    CHECK (ended_at IS NULL OR success_count + failed_count = total_count)
);
CREATE UNIQUE INDEX task_idempotency ON task (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX task_by_tenant ON task (tenant, created_at DESC, id DESC);
CREATE INDEX task_by_tenant_status ON task (tenant, status, created_at DESC, id DESC);
CREATE INDEX task_queued ON task (created_at, id) WHERE status = 'queued';
CREATE INDEX task_running ON task (created_at, id) WHERE status = 'running';
CREATE INDEX task_script_blob ON task (script_blob) WHERE script_blob IS NOT NULL;

CREATE TABLE page (
    task_id          text NOT NULL REFERENCES task ON DELETE CASCADE,
    page_index       integer NOT NULL CHECK (page_index >= 0),
    name             text NOT NULL,
    blob             text NOT NULL,
    status           text NOT NULL DEFAULT 'queued'
                     CHECK (status IN ('queued', 'running', 'success', 'error', 'canceled')),
    stage            text CHECK (stage IN ('detect', 'translate', 'render', 'page')),
    mode             text CHECK (mode IN ('split', 'unified', 'fallback_to_unified')),
    width            integer CHECK (width > 0),
    height           integer CHECK (height > 0),
    from_lang        text,
    region_count     integer CHECK (region_count >= 0),
    provider         text,
    model            text,
    result_blob      text,
    output_changed   boolean,
    no_change_reason text CHECK (no_change_reason IN ('no_text')),
    failure_stage    text CHECK (failure_stage IN ('detect', 'translate', 'render', 'page', 'fallback')),
    failure_code     text,
    failure_message  text,
    elapsed_ms       jsonb NOT NULL DEFAULT '{}',
    started_at       timestamptz,
    ended_at         timestamptz,
    PRIMARY KEY (task_id, page_index),
    UNIQUE (task_id, name),
    CHECK ((ended_at IS NOT NULL) = (status IN ('success', 'error', 'canceled'))),
    CHECK (status <> 'success' OR result_blob IS NOT NULL),
    CHECK ((status IN ('error', 'canceled')) = (failure_code IS NOT NULL))
);
CREATE INDEX page_blob ON page (blob);
CREATE INDEX page_result_blob ON page (result_blob) WHERE result_blob IS NOT NULL;
CREATE INDEX page_ended ON page (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE task_entry (
    task_id    text NOT NULL REFERENCES task ON DELETE CASCADE,
    position   integer NOT NULL CHECK (position >= 0),
    name       text NOT NULL,
    blob       text,
    page_index integer,
    PRIMARY KEY (task_id, position),
    FOREIGN KEY (task_id, page_index) REFERENCES page ON DELETE CASCADE,
    CHECK (num_nonnulls(blob, page_index) = 1)
);
CREATE INDEX task_entry_blob ON task_entry (blob) WHERE blob IS NOT NULL;
CREATE INDEX task_entry_page ON task_entry (task_id, page_index) WHERE page_index IS NOT NULL;

CREATE TABLE region (
    task_id      text NOT NULL,
    page_index   integer NOT NULL,
    region_index integer NOT NULL CHECK (region_index >= 0),
    kind         text NOT NULL DEFAULT '',
    source       text NOT NULL,
    translation  text,
    source_lang  text NOT NULL DEFAULT '',
    target_lang  text NOT NULL DEFAULT '',
    x0           real NOT NULL,
    y0           real NOT NULL,
    x1           real NOT NULL,
    y1           real NOT NULL,
    lines        jsonb NOT NULL DEFAULT '[]',
    texts        text[] NOT NULL DEFAULT '{}',
    direction    text NOT NULL DEFAULT '',
    alignment    text NOT NULL DEFAULT '',
    angle        real NOT NULL DEFAULT 0,
    font_size    real NOT NULL DEFAULT 0,
    prob         real NOT NULL DEFAULT 0,
    style        jsonb NOT NULL DEFAULT '{}',
    provider     text,
    model        text,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (task_id, page_index, region_index),
    FOREIGN KEY (task_id, page_index) REFERENCES page ON DELETE CASCADE
);

CREATE TABLE stage_run (
    task_id    text NOT NULL,
    page_index integer NOT NULL,
    stage      text NOT NULL CHECK (stage IN ('detect', 'translate', 'render', 'page')),
    attempt    integer NOT NULL CHECK (attempt > 0),
    mode       text NOT NULL CHECK (mode IN ('split', 'unified', 'fallback_to_unified')),
    host       text NOT NULL DEFAULT '',
    outcome    text NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'success', 'failure', 'superseded')),
    code       text,
    elapsed_ms jsonb NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at   timestamptz,
    PRIMARY KEY (task_id, page_index, stage, attempt),
    FOREIGN KEY (task_id, page_index) REFERENCES page ON DELETE CASCADE,
    CHECK ((outcome = 'running') = (ended_at IS NULL)),
    CHECK ((outcome IN ('failure', 'superseded')) = (code IS NOT NULL))
);
CREATE INDEX stage_run_failed ON stage_run (started_at) WHERE code IS NOT NULL;

-- The order of stages on a page's way.
CREATE FUNCTION stage_rank(stage text) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN array_position(ARRAY['detect', 'translate', 'render', 'page'], stage);

CREATE TABLE model_call (
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request_key      text NOT NULL CHECK (request_key <> ''),
    tenant           text NOT NULL,
    task_id          text NOT NULL DEFAULT '',
    page_index       integer NOT NULL DEFAULT 0,
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
CREATE UNIQUE INDEX model_call_answer ON model_call (request_key) WHERE answer IS NOT NULL;
CREATE INDEX model_call_by_time ON model_call (started_at);
CREATE INDEX model_call_by_task ON model_call (task_id);

CREATE TABLE blob_lease (
    blob       text PRIMARY KEY,
    holder     text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX blob_lease_by_expiry ON blob_lease (expires_at, blob);

-- Progress is pushed: whoever listens on plait_progress hears the id of each task whose state or whose pages' states change.
-- A trigger, so that no writer can forget it; Postgres sends equal notifications of one transaction once.
-- +goose StatementBegin
CREATE FUNCTION notify_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('plait_progress', CASE TG_TABLE_NAME WHEN 'page' THEN to_jsonb(NEW) ->> 'task_id' ELSE to_jsonb(NEW) ->> 'id' END);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER page_progress AFTER UPDATE ON page FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage OR OLD.mode IS DISTINCT FROM NEW.mode)
    EXECUTE FUNCTION notify_progress();
CREATE TRIGGER task_progress AFTER UPDATE ON task FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR OLD.cancel_requested_at IS DISTINCT FROM NEW.cancel_requested_at)
    EXECUTE FUNCTION notify_progress();

-- +goose Down
DROP TABLE blob_lease, model_call, stage_run, region, task_entry, page, task, api_key;
DROP FUNCTION notify_progress();
DROP FUNCTION stage_rank(text);
