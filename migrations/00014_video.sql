-- What only videos know: who takes a video up, the job at a server that makes it, and the file.
--
-- A client may withdraw a video until an engine takes it up. Both write the same row, and the constraint lets one of them win: a video has
-- either claimed_at or withdrawn_at.

-- +goose Up
CREATE TABLE video (
    task_id       text PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    model         text NOT NULL CHECK (model <> ''),
    engine        text NOT NULL CHECK (engine <> ''),
    type          text NOT NULL CHECK (type <> ''),
    actual_prompt text,
    claimed_at    timestamptz,
    withdrawn_at  timestamptz,
    server        text CHECK (server <> ''),
    asked_at      timestamptz,
    job           text CHECK (job <> ''),
    width         integer CHECK (width > 0),
    height        integer CHECK (height > 0),
    frames        integer CHECK (frames > 0),
    duration_ms   bigint CHECK (duration_ms > 0),
    CHECK (claimed_at IS NULL OR withdrawn_at IS NULL)
);
CREATE INDEX video_job ON video (server, job) WHERE job IS NOT NULL;
CREATE INDEX video_waiting ON video (engine) WHERE claimed_at IS NULL AND withdrawn_at IS NULL;
COMMENT ON TABLE video IS 'Details of a task that makes a video.';
COMMENT ON COLUMN video.task_id IS 'Id of the task.';
COMMENT ON COLUMN video.model IS 'Model that the client chose.';
COMMENT ON COLUMN video.engine IS 'Engine that runs the model.';
COMMENT ON COLUMN video.type IS 'text_to_video or image_to_video.';
COMMENT ON COLUMN video.actual_prompt IS 'Prompt that a language model wrote in the place of the client''s; null when the client''s was used.';
COMMENT ON COLUMN video.claimed_at IS 'When an engine took the video up.';
COMMENT ON COLUMN video.withdrawn_at IS 'When the client withdrew the video before an engine took it up.';
COMMENT ON COLUMN video.server IS 'Server of the engine that makes the video; null for the embedded engine.';
COMMENT ON COLUMN video.asked_at IS 'When that server was first asked for it.';
COMMENT ON COLUMN video.job IS 'Id of the job at that server; null until it has answered.';
COMMENT ON COLUMN video.width IS 'Width of the file in pixels; null until there is one.';
COMMENT ON COLUMN video.height IS 'Height of the file in pixels.';
COMMENT ON COLUMN video.frames IS 'Number of frames of the file.';
COMMENT ON COLUMN video.duration_ms IS 'Duration of the file.';

-- +goose Down
DROP TABLE video;
