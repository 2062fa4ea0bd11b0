-- Tasks that are asked for again, that pause, and whose files do not stay for ever.

-- +goose Up
ALTER TABLE task
    ADD COLUMN retry_count integer NOT NULL DEFAULT 0 CHECK (retry_count >= 0),
    ADD COLUMN pause_revision integer NOT NULL DEFAULT 0 CHECK (pause_revision >= 0),
    ADD COLUMN files_removed_at timestamptz,
    DROP CONSTRAINT task_status_check,
    ADD CONSTRAINT task_status_check
        CHECK (status IN ('queued', 'running', 'paused', 'success', 'partial', 'error', 'canceled'));
DROP INDEX task_running;
CREATE INDEX task_running ON task (created_at, id) WHERE status IN ('running', 'paused');
CREATE INDEX task_ended ON task (ended_at, id) WHERE ended_at IS NOT NULL;
CREATE INDEX model_call_answered ON model_call (started_at) WHERE answer IS NOT NULL;
COMMENT ON COLUMN task.status IS 'queued, running, paused (begins no page and no model call), success (every page), partial (some pages), error (no page), canceled.';
COMMENT ON COLUMN task.retry_count IS 'How often its failed pages were asked for again.';
COMMENT ON COLUMN task.pause_revision IS 'Counts pauses and resumes, so that of two signals the later one holds.';
COMMENT ON COLUMN task.files_removed_at IS 'When its images, results and other files were given up to retention; the row and its texts stay.';

ALTER TABLE page ADD COLUMN attempts_before integer NOT NULL DEFAULT 0 CHECK (attempts_before >= 0);
COMMENT ON COLUMN page.attempts_before IS 'Attempts at its stages that were made before it was last asked for again; those of now have higher numbers.';

-- +goose Down
ALTER TABLE page DROP COLUMN attempts_before;
UPDATE task SET status = CASE WHEN started_at IS NULL THEN 'queued' ELSE 'running' END WHERE status = 'paused';
DROP INDEX model_call_answered, task_ended, task_running;
CREATE INDEX task_running ON task (created_at, id) WHERE status = 'running';
ALTER TABLE task
    DROP COLUMN retry_count, DROP COLUMN pause_revision, DROP COLUMN files_removed_at,
    DROP CONSTRAINT task_status_check,
    ADD CONSTRAINT task_status_check CHECK (status IN ('queued', 'running', 'success', 'partial', 'error', 'canceled'));
