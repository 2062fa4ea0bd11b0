-- Views for data teams. Days and hours are UTC.

-- +goose Up
CREATE VIEW page_throughput AS
SELECT date_trunc('hour', p.ended_at, 'UTC') AS hour,
       t.tenant,
       coalesce(p.mode, t.mode) AS mode,
       count(*) AS pages,
       count(*) FILTER (WHERE p.status = 'success') AS succeeded,
       count(*) FILTER (WHERE p.status <> 'success') AS failed,
       round(avg(extract(epoch FROM p.ended_at - p.started_at)) FILTER (WHERE p.status = 'success'), 3) AS mean_seconds,
       round((percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM p.ended_at - p.started_at))
              FILTER (WHERE p.status = 'success'))::numeric, 3) AS p95_seconds
FROM page p JOIN task t ON t.id = p.task_id
WHERE p.ended_at IS NOT NULL
GROUP BY 1, 2, 3;
COMMENT ON VIEW page_throughput IS 'Pages that ended, by hour, tenant and mode. Seconds are those from the begin of the first stage to the result, of successful pages, waiting included. Example: SELECT hour, sum(pages) / 60.0 AS pages_a_minute FROM page_throughput GROUP BY hour ORDER BY hour;';
COMMENT ON COLUMN page_throughput.hour IS 'Begin of the hour in which the pages ended.';
COMMENT ON COLUMN page_throughput.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN page_throughput.mode IS 'How the pages went; the mode asked for, for pages that never began.';
COMMENT ON COLUMN page_throughput.pages IS 'Pages ended: succeeded + failed.';
COMMENT ON COLUMN page_throughput.succeeded IS 'Pages with a result.';
COMMENT ON COLUMN page_throughput.failed IS 'Pages that failed or were canceled.';
COMMENT ON COLUMN page_throughput.mean_seconds IS 'Mean seconds of a successful page.';
COMMENT ON COLUMN page_throughput.p95_seconds IS '95 of 100 successful pages took no longer (interpolated).';

CREATE VIEW fallback_rate AS
SELECT date_trunc('day', p.ended_at, 'UTC') AS day,
       t.tenant,
       count(*) AS pages,
       count(*) FILTER (WHERE p.mode = 'fallback_to_unified') AS fallback_pages,
       count(*) FILTER (WHERE p.mode = 'fallback_to_unified' AND p.status <> 'success') AS fallback_failed,
       round(count(*) FILTER (WHERE p.mode = 'fallback_to_unified')::numeric / count(*), 4) AS rate
FROM page p JOIN task t ON t.id = p.task_id
WHERE p.ended_at IS NOT NULL AND p.mode IN ('split', 'fallback_to_unified')
GROUP BY 1, 2;
COMMENT ON VIEW fallback_rate IS 'Pages that lost their detect context and were done again as a whole, by day and tenant. A rate above a few percent says that hosts restart, or that contexts expire before they are rendered.';
COMMENT ON COLUMN fallback_rate.day IS 'Day on which the pages ended.';
COMMENT ON COLUMN fallback_rate.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN fallback_rate.pages IS 'Pages ended that began in split mode.';
COMMENT ON COLUMN fallback_rate.fallback_pages IS 'Those of them that fell back.';
COMMENT ON COLUMN fallback_rate.fallback_failed IS 'Those that failed even so.';
COMMENT ON COLUMN fallback_rate.rate IS 'fallback_pages / pages, 0..1.';

CREATE VIEW cost_by_model_day AS
SELECT date_trunc('day', started_at, 'UTC') AS day,
       tenant,
       provider,
       model,
       count(*) AS calls,
       count(*) FILTER (WHERE outcome <> 'ok') AS failed_calls,
       sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens,
       round(sum(cost_micros) / 1e6, 6) AS cost,
       round(avg(latency_ms)) AS mean_latency_ms
FROM model_call
GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW cost_by_model_day IS 'What models cost, by day, tenant, provider and model. Failed calls count, deleted tasks too.';
COMMENT ON COLUMN cost_by_model_day.day IS 'Day on which the calls were made.';
COMMENT ON COLUMN cost_by_model_day.tenant IS 'Who pays.';
COMMENT ON COLUMN cost_by_model_day.provider IS 'Who was asked.';
COMMENT ON COLUMN cost_by_model_day.model IS 'The model that was asked.';
COMMENT ON COLUMN cost_by_model_day.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_model_day.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_model_day.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_model_day.output_tokens IS 'Tokens answered.';
COMMENT ON COLUMN cost_by_model_day.cost IS 'Cost in the currency of the price list; 0 for models without a known price.';
COMMENT ON COLUMN cost_by_model_day.mean_latency_ms IS 'Mean milliseconds of a call.';

CREATE VIEW failures_by_stage AS
SELECT day, tenant, stage, code, sum(pages) AS pages, sum(attempts) AS attempts
FROM (
    SELECT date_trunc('day', p.ended_at, 'UTC') AS day, t.tenant, p.failure_stage AS stage, p.failure_code AS code,
           1 AS pages, 0 AS attempts
    FROM page p JOIN task t ON t.id = p.task_id
    WHERE p.failure_code IS NOT NULL
    UNION ALL
    SELECT date_trunc('day', r.ended_at, 'UTC'), t.tenant,
           CASE WHEN r.stage = 'page' AND r.mode = 'fallback_to_unified' THEN 'fallback' ELSE r.stage END, r.code, 0, 1
    FROM stage_run r JOIN task t ON t.id = r.task_id
    WHERE r.code IS NOT NULL
) AS failure
GROUP BY day, tenant, stage, code;
COMMENT ON VIEW failures_by_stage IS 'What failed where, by day, tenant, stage and code: pages that failed for good, and attempts that failed, retried or not.';
COMMENT ON COLUMN failures_by_stage.day IS 'Day on which the page or attempt ended.';
COMMENT ON COLUMN failures_by_stage.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN failures_by_stage.stage IS 'detect, translate, render, page (unified mode) or fallback; null for pages that never got their turn.';
COMMENT ON COLUMN failures_by_stage.code IS 'The code of the failure; HOST_LOST for an attempt that never answered.';
COMMENT ON COLUMN failures_by_stage.pages IS 'Pages that failed for good.';
COMMENT ON COLUMN failures_by_stage.attempts IS 'Attempts that failed.';

-- +goose Down
DROP VIEW failures_by_stage, cost_by_model_day, fallback_rate, page_throughput;
