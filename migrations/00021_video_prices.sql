-- What videos cost. The price of a video is fixed when its task is accepted, and its call is in the ledger once it is made.

-- +goose Up
ALTER TABLE video ADD COLUMN price_micros bigint NOT NULL DEFAULT 0 CHECK (price_micros >= 0);
COMMENT ON COLUMN video.price_micros IS 'Price of the video in millionths of the currency of the price table; 0 for a model without a price.';
COMMENT ON TABLE model_call IS 'Every call of a language model, failed ones included, and every video of a model with a price. A row outlives its task, without its answer.';
COMMENT ON COLUMN model_call.provider IS 'Provider that was called; for a video, its engine.';

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
COMMENT ON COLUMN model_call.provider IS 'Provider that was called.';
COMMENT ON TABLE model_call IS 'Every call of a language model, failed ones included. A row outlives its task, without its answer.';
ALTER TABLE video DROP COLUMN price_micros;
