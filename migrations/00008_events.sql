-- The log of what happens to tasks, which clients follow.
--
-- Ids are given before transactions commit, so that a row can appear after rows with higher ids. A transaction therefore locks a number
-- below the ids of its rows until it has committed: advisory locks whose upper 16 bits are 28005, and whose other bits are the number. A
-- reader looks first at the sequence, then at the locks, then at the rows. Up to what the sequence was at, and below the lowest lock, no
-- row can still appear. Rows are written at the end of their transactions, so that the locks are held briefly, and neither a long
-- transaction nor another database holds up readers.

-- +goose Up
CREATE TABLE event (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant     text NOT NULL,
    task_id    text NOT NULL,
    type       text NOT NULL CHECK (type IN ('task.queued', 'task.started', 'task.progress', 'task.paused', 'task.resumed',
               'task.cancel_requested', 'task.ended', 'task.edited')),
    data       jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX event_by_tenant ON event (tenant, id);
CREATE INDEX event_by_task ON event (task_id, id);
COMMENT ON TABLE event IS 'What happened to tasks, for clients that follow them. Bounded by retention.events and retention.max_events.';
COMMENT ON COLUMN event.id IS 'Place in the log. Clients resume after it.';
COMMENT ON COLUMN event.tenant IS 'Owner of the task.';
COMMENT ON COLUMN event.task_id IS 'Id of the task, which may be deleted since.';
COMMENT ON COLUMN event.type IS 'What happened, such as task.progress.';
COMMENT ON COLUMN event.data IS 'State of the task after it, as clients receive it but for the links. It contains no text of an item.';
COMMENT ON COLUMN event.created_at IS 'When it was written, shortly before its transaction committed.';

CREATE TABLE event_floor (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id       bigint NOT NULL
);
INSERT INTO event_floor (id) VALUES (0);
COMMENT ON TABLE event_floor IS 'One row: the place in the log up to which events have been removed.';
COMMENT ON COLUMN event_floor.only_row IS 'Always true.';
COMMENT ON COLUMN event_floor.id IS 'event.id of the last event that was removed; 0 before the first.';

-- A trigger, so that no writer can forget the log. It is deferred, so that the counts are those at the end of the transaction. A session
-- that listens on plait_progress receives the id of each task that has a new event; Postgres sends equal notifications of one transaction
-- once.
-- +goose StatementBegin
CREATE FUNCTION log_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    t    task;
    what text;
    more jsonb := '{}';
BEGIN
    IF TG_NARGS > 0 THEN
        -- A row of a kind that belongs to an item, whose trigger names the event.
        SELECT * INTO t FROM task WHERE id = NEW.task_id;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        what := TG_ARGV[0];
        more := jsonb_build_object('item', (SELECT jsonb_build_object('index', item_index, 'status', status)
            FROM item WHERE task_id = NEW.task_id AND item_index = NEW.item_index));
    ELSIF TG_TABLE_NAME = 'item' THEN
        SELECT * INTO t FROM task WHERE id = NEW.task_id;
        -- What cut off items when the task ended is told by the end of the task.
        IF NOT FOUND OR t.ended_at IS NOT NULL THEN
            RETURN NULL;
        END IF;
        what := 'task.progress';
        more := jsonb_build_object('item', jsonb_strip_nulls(jsonb_build_object(
            'index', NEW.item_index, 'status', NEW.status, 'stage', NEW.stage, 'mode', NEW.mode,
            'percent', nullif(NEW.percent, 0), 'failure_code', NEW.failure_code)));
    ELSE
        SELECT * INTO t FROM task WHERE id = NEW.id;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
        what := CASE
            WHEN TG_OP = 'INSERT' THEN 'task.queued'
            WHEN OLD.status = NEW.status THEN 'task.cancel_requested'
            WHEN NEW.ended_at IS NOT NULL THEN 'task.ended'
            WHEN NEW.status = 'paused' THEN 'task.paused'
            WHEN OLD.status = 'paused' THEN 'task.resumed'
            WHEN NEW.status = 'queued' THEN 'task.queued'
            ELSE 'task.started' END;
        IF t.failure_code IS NOT NULL THEN
            more := jsonb_build_object('failure', jsonb_strip_nulls(jsonb_build_object(
                'stage', t.failure_stage, 'code', t.failure_code, 'message', coalesce(t.failure_message, ''))));
        END IF;
    END IF;
    PERFORM pg_advisory_xact_lock((28005::bigint << 48) + nextval('event_id_seq'));
    INSERT INTO event (tenant, task_id, type, data) VALUES (t.tenant, t.id, what, more || jsonb_build_object(
        'task_id', t.id, 'kind', t.kind, 'status', t.status, 'retry_count', t.retry_count,
        'total_count', t.total_count, 'success_count', t.success_count, 'failed_count', t.failed_count,
        -- Of a task that was retried, most items may have ended before.
        'estimated_ms', CASE WHEN t.status = 'running' AND t.retry_count = 0 AND t.success_count + t.failed_count > 0 THEN
            round(extract(epoch FROM greatest(clock_timestamp() - t.started_at, '0')) * 1000
                / (t.success_count + t.failed_count) * (t.total_count - t.success_count - t.failed_count))::bigint END));
    PERFORM pg_notify('plait_progress', t.id);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION log_event() IS 'Appends to event, and sends NOTIFY plait_progress with the id of the task.';
CREATE CONSTRAINT TRIGGER item_event AFTER UPDATE ON item DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.status <> 'queued'
        AND (OLD.status <> NEW.status OR OLD.stage IS DISTINCT FROM NEW.stage OR OLD.mode IS DISTINCT FROM NEW.mode
            OR OLD.percent <> NEW.percent))
    EXECUTE FUNCTION log_event();
CREATE CONSTRAINT TRIGGER task_event AFTER UPDATE ON task DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.status <> NEW.status OR OLD.cancel_requested_at IS NULL AND NEW.cancel_requested_at IS NOT NULL)
    EXECUTE FUNCTION log_event();
CREATE CONSTRAINT TRIGGER task_created AFTER INSERT ON task DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION log_event();

-- +goose Down
DROP TRIGGER task_created ON task;
DROP TRIGGER task_event ON task;
DROP TRIGGER item_event ON item;
DROP FUNCTION log_event();
DROP TABLE event_floor, event;
