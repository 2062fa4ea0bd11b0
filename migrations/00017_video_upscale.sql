-- How videos are enlarged: where the work stands, so that another host can go on, and how it was done.

-- +goose Up
CREATE TABLE video_upscale (
    task_id        text PRIMARY KEY REFERENCES video ON DELETE CASCADE,
    scale          integer NOT NULL CHECK (scale > 1),
    mode           text CHECK (mode IN ('sequential', 'basic', 'aggressive')),
    split          integer CHECK (split >= 0),
    fallback       boolean NOT NULL DEFAULT false,
    progress       jsonb,
    started_at     timestamptz,
    finished_at    timestamptz,
    resumed_frames integer CHECK (resumed_frames >= 0),
    processing_ms  bigint CHECK (processing_ms >= 0),
    busy_ms        jsonb NOT NULL DEFAULT '{}',
    CHECK ((finished_at IS NULL) = (processing_ms IS NULL))
);
COMMENT ON TABLE video_upscale IS 'Details of a task that enlarges a video.';
COMMENT ON COLUMN video_upscale.task_id IS 'Id of the task.';
COMMENT ON COLUMN video_upscale.scale IS 'How many times wider and higher frames become.';
COMMENT ON COLUMN video_upscale.mode IS 'What the devices did at once: sequential, basic or aggressive; null until the work begins.';
COMMENT ON COLUMN video_upscale.split IS 'Number of blocks of the model on the first device; null until the end.';
COMMENT ON COLUMN video_upscale.fallback IS 'Whether the devices failed together, so that one of them works alone.';
COMMENT ON COLUMN video_upscale.progress IS 'Point after a segment from which any host can go on: its blobs are files of the task with the roles segment and checkpoint.';
COMMENT ON COLUMN video_upscale.started_at IS 'When a host first began.';
COMMENT ON COLUMN video_upscale.finished_at IS 'When the video was stored.';
COMMENT ON COLUMN video_upscale.resumed_frames IS 'Number of frames that earlier attempts had made.';
COMMENT ON COLUMN video_upscale.processing_ms IS 'Milliseconds that the last attempt took for the other frames.';
COMMENT ON COLUMN video_upscale.busy_ms IS 'Milliseconds in which each device worked in the last attempt, by its name.';
COMMENT ON COLUMN video.type IS 'text_to_video, image_to_video or video_upscale.';

-- +goose Down
COMMENT ON COLUMN video.type IS 'text_to_video or image_to_video.';
DROP TABLE video_upscale;
