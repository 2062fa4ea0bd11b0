-- Tasks of every kind, their items and their files.
--
-- Names: an item is (task_id, item_index); item_index counts from 0. A blob is named by its content: 'sha256:' and 64
-- hexadecimal digits. Times are timestamptz, durations milliseconds. What only one kind knows is in tables of that kind.

-- +goose Up
CREATE TABLE task (
    id                  text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
    tenant              text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    kind                text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_]{0,31}$'),
    title               text NOT NULL DEFAULT '',
    options             jsonb NOT NULL CHECK (jsonb_typeof(options) = 'object'),
    priority            smallint NOT NULL DEFAULT 3 CHECK (priority BETWEEN 1 AND 5),
    status              text NOT NULL DEFAULT 'queued'
                        CHECK (status IN ('queued', 'running', 'paused', 'success', 'partial', 'error', 'canceled')),
    total_count         integer NOT NULL CHECK (total_count > 0),
    success_count       integer NOT NULL DEFAULT 0 CHECK (success_count >= 0),
    failed_count        integer NOT NULL DEFAULT 0 CHECK (failed_count >= 0),
    failure_stage       text,
    failure_code        text,
    failure_message     text,
    idempotency_key     text CHECK (char_length(idempotency_key) BETWEEN 1 AND 255),
    request_hash        text NOT NULL DEFAULT '',
    callback_url        text CHECK (callback_url <> ''),
    retry_count         integer NOT NULL DEFAULT 0 CHECK (retry_count >= 0),
    pause_revision      integer NOT NULL DEFAULT 0 CHECK (pause_revision >= 0),
    created_at          timestamptz NOT NULL DEFAULT now(),
    started_at          timestamptz,
    ended_at            timestamptz,
    updated_at          timestamptz NOT NULL DEFAULT now(),
    cancel_requested_at timestamptz,
    files_removed_at    timestamptz,
    dispatched_at       timestamptz,
    tokens_charged      bigint NOT NULL DEFAULT 0 CHECK (tokens_charged >= 0),
    CHECK (success_count + failed_count <= total_count),
    CHECK ((ended_at IS NOT NULL) = (status IN ('success', 'partial', 'error', 'canceled'))),
    CHECK (ended_at IS NULL OR success_count + failed_count = total_count)
);
CREATE UNIQUE INDEX task_idempotency ON task (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX task_by_tenant ON task (tenant, created_at DESC, id DESC);
CREATE INDEX task_by_tenant_status ON task (tenant, status, created_at DESC, id DESC);
CREATE INDEX task_queued ON task (created_at, id) WHERE status = 'queued';
CREATE INDEX task_running ON task (created_at, id) WHERE status IN ('running', 'paused');
CREATE INDEX task_dispatched ON task (tenant) WHERE dispatched_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX task_waiting ON task (tenant, priority, created_at, id) WHERE status = 'queued';
CREATE INDEX task_ended ON task (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX task_succeeded ON task (kind, ended_at DESC) WHERE status IN ('success', 'partial');
COMMENT ON TABLE task IS 'One row for each request of a client. The id of a task is the id of its Temporal workflow.';
COMMENT ON COLUMN task.id IS 'Task id and workflow id.';
COMMENT ON COLUMN task.tenant IS 'Owner of the task.';
COMMENT ON COLUMN task.kind IS 'Kind of work, such as comic.';
COMMENT ON COLUMN task.title IS 'Title given by a person, or taken from a file name.';
COMMENT ON COLUMN task.options IS 'Options of the kind, as JSON.';
COMMENT ON COLUMN task.priority IS 'Priority within the tenant, from 1 (highest) to 5.';
COMMENT ON COLUMN task.status IS 'queued, running, paused (starts no item and no model call), success (every item), partial (some items), error (no item) or canceled.';
COMMENT ON COLUMN task.total_count IS 'Number of items.';
COMMENT ON COLUMN task.success_count IS 'Items with a result so far.';
COMMENT ON COLUMN task.failed_count IS 'Items that failed or were canceled so far. In an ended task success_count + failed_count = total_count.';
COMMENT ON COLUMN task.failure_stage IS 'Failure stage of the first failed item, when no item succeeded.';
COMMENT ON COLUMN task.failure_code IS 'Code of the first failed item when no item succeeded, CANCELED, or TERMINATED by an operator.';
COMMENT ON COLUMN task.failure_message IS 'One sentence about failure_code, fit for a client.';
COMMENT ON COLUMN task.idempotency_key IS 'Key that makes a repetition of the request return this task.';
COMMENT ON COLUMN task.request_hash IS 'Digest of the request. Another request under the same key is refused.';
COMMENT ON COLUMN task.callback_url IS 'URL that is told of the end of the task.';
COMMENT ON COLUMN task.retry_count IS 'Number of retries of the failed items.';
COMMENT ON COLUMN task.pause_revision IS 'Number of pauses and resumes; the highest one applies.';
COMMENT ON COLUMN task.created_at IS 'When the task was accepted.';
COMMENT ON COLUMN task.started_at IS 'When its workflow started to work.';
COMMENT ON COLUMN task.ended_at IS 'When its status became final.';
COMMENT ON COLUMN task.updated_at IS 'When the task or one of its items last changed.';
COMMENT ON COLUMN task.cancel_requested_at IS 'When the client requested cancellation.';
COMMENT ON COLUMN task.files_removed_at IS 'When retention removed its files and results; the row and its texts stay.';
COMMENT ON COLUMN task.dispatched_at IS 'When the task was given one of the places that running_tasks of its tier allows, or started without such a limit. NULL once it has ended.';
COMMENT ON COLUMN task.tokens_charged IS 'Tokens that were charged when the task was accepted and that its model calls have not used yet.';

CREATE TABLE item (
    task_id         text NOT NULL REFERENCES task ON DELETE CASCADE,
    item_index      integer NOT NULL CHECK (item_index >= 0),
    name            text NOT NULL,
    blob            text NOT NULL,
    status          text NOT NULL DEFAULT 'queued'
                    CHECK (status IN ('queued', 'running', 'success', 'error', 'canceled')),
    stage           text CHECK (stage <> ''),
    mode            text CHECK (mode <> ''),
    result_blob     text,
    failure_stage   text,
    failure_code    text,
    failure_message text,
    elapsed_ms      jsonb NOT NULL DEFAULT '{}',
    estimate        jsonb,
    attempts_before integer NOT NULL DEFAULT 0 CHECK (attempts_before >= 0),
    percent         smallint NOT NULL DEFAULT 0 CHECK (percent BETWEEN 0 AND 100),
    started_at      timestamptz,
    ended_at        timestamptz,
    PRIMARY KEY (task_id, item_index),
    UNIQUE (task_id, name),
    CHECK ((ended_at IS NOT NULL) = (status IN ('success', 'error', 'canceled'))),
    CHECK (status <> 'success' OR result_blob IS NOT NULL),
    CHECK ((status IN ('error', 'canceled')) = (failure_code IS NOT NULL))
);
CREATE INDEX item_blob ON item (blob);
CREATE INDEX item_result_blob ON item (result_blob) WHERE result_blob IS NOT NULL;
CREATE INDEX item_ended ON item (ended_at) WHERE ended_at IS NOT NULL;
COMMENT ON TABLE item IS 'One unit of a task that succeeds or fails alone, such as a page of a chapter.';
COMMENT ON COLUMN item.task_id IS 'Id of the task.';
COMMENT ON COLUMN item.item_index IS 'Position in the task, from 0.';
COMMENT ON COLUMN item.name IS 'File name within the task, with its folder.';
COMMENT ON COLUMN item.blob IS 'Input, as the client sent it.';
COMMENT ON COLUMN item.status IS 'queued, running, then success, error or canceled.';
COMMENT ON COLUMN item.stage IS 'Stage that started last.';
COMMENT ON COLUMN item.mode IS 'Way that the item takes through its workflow; each kind has modes of its own.';
COMMENT ON COLUMN item.result_blob IS 'Result.';
COMMENT ON COLUMN item.failure_stage IS 'Stage in which the item failed.';
COMMENT ON COLUMN item.failure_code IS 'Why the item failed; CANCELED or TERMINATED when it was cut off.';
COMMENT ON COLUMN item.failure_message IS 'One sentence about failure_code, fit for a client.';
COMMENT ON COLUMN item.elapsed_ms IS 'Milliseconds by part of the stage that made the result.';
COMMENT ON COLUMN item.estimate IS 'Estimated usage of its model calls, computed before they were made: calls, input_tokens, output_tokens, cost_micros.';
COMMENT ON COLUMN item.attempts_before IS 'Attempts at its stages before the last retry; later attempts have higher numbers.';
COMMENT ON COLUMN item.percent IS 'How far the stage of the item is, for stages that say so; 0 for the others.';
COMMENT ON COLUMN item.started_at IS 'When its first stage started.';
COMMENT ON COLUMN item.ended_at IS 'When its status became final.';

CREATE TABLE task_file (
    task_id    text NOT NULL REFERENCES task ON DELETE CASCADE,
    role       text NOT NULL CHECK (role ~ '^[a-z][a-z0-9_]{0,31}$'),
    position   integer NOT NULL CHECK (position >= 0),
    name       text NOT NULL,
    blob       text,
    item_index integer,
    PRIMARY KEY (task_id, role, position),
    FOREIGN KEY (task_id, item_index) REFERENCES item ON DELETE CASCADE,
    CHECK (num_nonnulls(blob, item_index) = 1)
);
CREATE INDEX task_file_blob ON task_file (blob) WHERE blob IS NOT NULL;
CREATE INDEX task_file_item ON task_file (task_id, item_index) WHERE item_index IS NOT NULL;
COMMENT ON TABLE task_file IS 'Files of a task other than the inputs and results of its items, by role.';
COMMENT ON COLUMN task_file.task_id IS 'Id of the task.';
COMMENT ON COLUMN task_file.role IS 'Use of the file: archive (one file of the archive that the task came in), script (translations written by people), or a role of the kind.';
COMMENT ON COLUMN task_file.position IS 'Position among the files of the role, from 0.';
COMMENT ON COLUMN task_file.name IS 'File name, with its folder.';
COMMENT ON COLUMN task_file.blob IS 'Content; null for a file that is an item.';
COMMENT ON COLUMN task_file.item_index IS 'The item, for a file of an archive that is one.';

-- Progress is pushed: a session that listens on plait_progress receives the id of each task whose state, or the state of whose items, changes.
-- Triggers send it, so that no writer can forget it: log_event (00008_events.sql) on these tables, and this function on tables of kinds.
-- Postgres sends equal notifications of one transaction once.
-- +goose StatementBegin
CREATE FUNCTION notify_progress() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('plait_progress', coalesce(to_jsonb(NEW) ->> 'task_id', to_jsonb(NEW) ->> 'id'));
    RETURN NULL;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION notify_progress() IS 'Sends NOTIFY plait_progress with the id of the task.';

-- Whoever counts the tasks of a tenant to compare them with a limit holds the lock of the tenant's row until its transaction ends, so that
-- no two count at once. A statement in a function sees what was committed before the lock was granted.
-- +goose StatementBegin
CREATE FUNCTION admit_task(of_task text, of_tenant text, tokens bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    l       tier;
    waiting bigint;
    charge  bigint;
    rate    record;
BEGIN
    SELECT tier.* INTO l FROM tenant JOIN tier ON tier.name = tenant.tier WHERE tenant.name = of_tenant;
    IF l.waiting_tasks IS NOT NULL THEN
        PERFORM FROM tenant WHERE name = of_tenant FOR NO KEY UPDATE;
        SELECT count(*) INTO waiting FROM (SELECT FROM task WHERE tenant = of_tenant AND status = 'queued' LIMIT l.waiting_tasks + 1) t;
        IF waiting > l.waiting_tasks THEN
            RAISE EXCEPTION 'waiting_tasks' USING ERRCODE = 'PL002', DETAIL = l.waiting_tasks::text, HINT = '0';
        END IF;
    END IF;
    IF tokens = 0 OR l.tokens_per_minute IS NULL THEN
        RETURN 0;
    END IF;
    charge := least(tokens, l.tokens_per_minute);
    SELECT * INTO rate FROM charge_rate(of_tenant, 'tokens', charge, l.tokens_per_minute);
    IF NOT rate.allowed THEN
        RAISE EXCEPTION 'tokens_per_minute' USING ERRCODE = 'PL002', DETAIL = l.tokens_per_minute::text, HINT = rate.wait_seconds::text;
    END IF;
    UPDATE task SET tokens_charged = charge WHERE id = of_task;
    RETURN charge;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION admit_task(text, text, bigint) IS 'Fails with SQLSTATE PL002 if a queued task that is written already goes beyond a limit of its tenant: the message is the name of the limit, the detail its value, the hint the seconds until it has room, or 0. An estimate of tokens beyond the limit is charged as the limit. Returns the tokens that were charged.';

-- +goose StatementBegin
CREATE FUNCTION dispatch_task(of_task text, OUT dispatched boolean, OUT priority_key integer, OUT fairness_weight double precision) LANGUAGE plpgsql AS $$
DECLARE
    of_tenant text;
    at_most   bigint;
    running   bigint;
BEGIN
    SELECT share.tenant, share.priority_key, share.fairness_weight, CASE WHEN dispatched_at IS NULL AND status = 'queued' THEN running_tasks END
    INTO of_tenant, priority_key, fairness_weight, at_most
    FROM task JOIN tenant_share share USING (tenant) WHERE id = of_task;
    dispatched := true;
    IF at_most IS NULL THEN
        RETURN;
    END IF;
    PERFORM FROM tenant WHERE name = of_tenant FOR NO KEY UPDATE;
    SELECT count(*) INTO running FROM (SELECT FROM task WHERE tenant = of_tenant AND dispatched_at IS NOT NULL AND ended_at IS NULL AND id <> of_task LIMIT at_most) t;
    IF running >= at_most THEN
        dispatched := false;
        RETURN;
    END IF;
    UPDATE task SET dispatched_at = coalesce(dispatched_at, now()) WHERE id = of_task;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION dispatch_task(text) IS 'Gives a queued task one of the places that running_tasks of its tenant''s tier allows, and returns whether it has one, with its tenant_share. A place is free when its task has ended. Without a limit every task has one.';

-- +goose StatementBegin
CREATE FUNCTION settle_tokens(of_task text, of_tenant text, used bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    charged bigint;
BEGIN
    PERFORM FROM tenant JOIN tier ON tier.name = tenant.tier WHERE tenant.name = of_tenant AND tokens_per_minute IS NOT NULL;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT tokens_charged INTO charged FROM task WHERE id = of_task FOR NO KEY UPDATE;
    IF charged > 0 THEN
        UPDATE task SET tokens_charged = greatest(tokens_charged - used, 0) WHERE id = of_task;
    END IF;
    IF used > coalesce(charged, 0) THEN
        PERFORM settle_rate(of_tenant, 'tokens', used - coalesce(charged, 0), clock_timestamp());
    END IF;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION settle_tokens(text, text, bigint) IS 'Takes the tokens of a model call from what its task was charged, and charges the rest to its tenant.';

-- +goose StatementBegin
CREATE FUNCTION release_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.tokens_charged > 0 THEN
        PERFORM settle_rate(NEW.tenant, 'tokens', -NEW.tokens_charged, NEW.created_at);
        NEW.tokens_charged := 0;
    END IF;
    IF NEW.dispatched_at IS NOT NULL THEN
        NEW.dispatched_at := NULL;
        PERFORM pg_notify('plait_waiting', 'waiting tasks');
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION release_task() IS 'Gives back the tokens that an ended task did not use, and its place among the running tasks, and tells those who start the next.';
CREATE TRIGGER task_release BEFORE UPDATE ON task FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
    EXECUTE FUNCTION release_task();

-- +goose Down
DROP TABLE task_file, item, task;
DROP FUNCTION notify_progress(), release_task(), settle_tokens(text, text, bigint), dispatch_task(text), admit_task(text, text, bigint);
