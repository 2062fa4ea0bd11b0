-- Attempts at the stages of items.

-- +goose Up
CREATE TABLE stage_run (
    task_id       text NOT NULL,
    item_index    integer NOT NULL,
    stage         text NOT NULL CHECK (stage <> ''),
    attempt       integer NOT NULL CHECK (attempt > 0),
    rank          integer NOT NULL CHECK (rank >= 0),
    failure_stage text NOT NULL CHECK (failure_stage <> ''),
    mode          text NOT NULL CHECK (mode <> ''),
    host          text NOT NULL DEFAULT '',
    outcome       text NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'success', 'failure', 'superseded')),
    code          text,
    message       text,
    elapsed_ms    jsonb NOT NULL DEFAULT '{}',
    started_at    timestamptz NOT NULL DEFAULT now(),
    ended_at      timestamptz,
    PRIMARY KEY (task_id, item_index, stage, attempt),
    FOREIGN KEY (task_id, item_index) REFERENCES item ON DELETE CASCADE,
    CHECK ((outcome = 'running') = (ended_at IS NULL)),
    CHECK ((outcome IN ('failure', 'superseded')) = (code IS NOT NULL))
);
CREATE INDEX stage_run_failed ON stage_run (started_at) WHERE code IS NOT NULL;
COMMENT ON TABLE stage_run IS 'One attempt at one stage of one item: where it ran, how long it took, how it ended.';
COMMENT ON COLUMN stage_run.task_id IS 'Id of the task.';
COMMENT ON COLUMN stage_run.item_index IS 'Index of the item.';
COMMENT ON COLUMN stage_run.stage IS 'Stage, such as detect, translate, render or page for comics.';
COMMENT ON COLUMN stage_run.attempt IS 'Attempt at the stage, from 1.';
COMMENT ON COLUMN stage_run.rank IS 'Place of the stage in the order of its kind. A run supersedes runs of a lower (rank, attempt).';
COMMENT ON COLUMN stage_run.failure_stage IS 'Name of the stage in failures: the stage itself, unless the kind names it otherwise, such as fallback for comics.';
COMMENT ON COLUMN stage_run.mode IS 'Mode of the item at that time.';
COMMENT ON COLUMN stage_run.host IS 'Host that ran it.';
COMMENT ON COLUMN stage_run.outcome IS 'running, success, failure, or superseded: it never answered and a later run took its place.';
COMMENT ON COLUMN stage_run.code IS 'Why it failed; HOST_LOST when superseded.';
COMMENT ON COLUMN stage_run.message IS 'One sentence about code, fit for a client.';
COMMENT ON COLUMN stage_run.elapsed_ms IS 'Milliseconds by part, such as decode, detect, ocr, translate, render, encode; and total.';
COMMENT ON COLUMN stage_run.started_at IS 'When it started.';
COMMENT ON COLUMN stage_run.ended_at IS 'When it ended, or was found to be lost.';

-- +goose StatementBegin
CREATE FUNCTION require_run(of_task text, of_item integer, before integer, of_stage text, of_attempt integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM task t JOIN item i ON i.task_id = t.id JOIN stage_run r USING (task_id, item_index)
    WHERE t.id = of_task AND t.ended_at IS NULL AND i.item_index = of_item AND i.status = 'running' AND i.attempts_before = before
        AND r.stage = of_stage AND r.attempt = of_attempt AND r.outcome IN ('running', 'success');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'item % of task % has ended, or a later attempt has superseded attempt % at stage %', of_item, of_task, of_attempt, of_stage
            USING ERRCODE = 'PL001';
    END IF;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION require_run(text, integer, integer, text, integer) IS 'Fails with SQLSTATE PL001 unless the stage run may write: its item is running, its task has not ended, and no later run has superseded it. It is the first statement of a transaction that writes what a stage made, and so ends that transaction.';

-- +goose Down
DROP FUNCTION require_run(text, integer, integer, text, integer);
DROP TABLE stage_run;
