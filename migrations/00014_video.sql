-- What only videos know: who takes a video up, the job at a server that makes it, the file, its enlargement and its price.
--
-- A client may withdraw a video until an engine takes it up. Both write the same row, and the constraint lets one of them win: a video has
-- either claimed_at or withdrawn_at.

-- +goose Up
CREATE TABLE video (
    task_id       text PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    model         text NOT NULL CHECK (model <> ''),
    engine        text NOT NULL CHECK (engine <> ''),
    type          text NOT NULL CHECK (type <> ''),
    price_micros  bigint NOT NULL DEFAULT 0 CHECK (price_micros >= 0),
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
COMMENT ON COLUMN video.type IS 'text_to_video, image_to_video or video_upscale.';
COMMENT ON COLUMN video.price_micros IS 'Price of the video in millionths of the currency of the price table; 0 for a model without a price.';
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

-- An enlargement that loses its host goes on from progress on another one.
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

-- The price of a video is fixed when its task is accepted, and its call is in the ledger once it is made.
CREATE VIEW video_cost_by_model_day AS
SELECT date_trunc('day', started_at + latency_ms * interval '1 millisecond', 'UTC') AS day,
       tenant,
       provider AS engine,
       model,
       count(*) AS videos,
       sum((params::jsonb ->> 'duration')::integer) AS seconds,
       round(sum(cost_micros) / 1e6, 6) AS cost
FROM model_call
WHERE request_key LIKE 'video/%'
GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW video_cost_by_model_day IS 'Cost of videos of models with a price, by day, tenant, engine and model. Deleted videos are included. cost_by_model_day has them beside the calls of language models.';
COMMENT ON COLUMN video_cost_by_model_day.day IS 'Day on which the videos were made.';
COMMENT ON COLUMN video_cost_by_model_day.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN video_cost_by_model_day.engine IS 'Engine that made the videos.';
COMMENT ON COLUMN video_cost_by_model_day.model IS 'Model that made the videos.';
COMMENT ON COLUMN video_cost_by_model_day.videos IS 'Videos made.';
COMMENT ON COLUMN video_cost_by_model_day.seconds IS 'Seconds of video that were asked for.';
COMMENT ON COLUMN video_cost_by_model_day.cost IS 'Cost in the currency of the price table.';

-- +goose Down
DROP VIEW video_cost_by_model_day;
DROP TABLE video_upscale, video;
