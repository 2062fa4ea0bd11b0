-- Views for data teams. Days and hours are UTC. Views of items cover every kind; views of pages cover comics.

-- +goose Up
CREATE VIEW item_throughput AS
SELECT date_trunc('hour', i.ended_at, 'UTC') AS hour,
       t.tenant,
       t.kind,
       coalesce(i.mode, t.options ->> 'mode') AS mode,
       count(*) AS items,
       count(*) FILTER (WHERE i.status = 'success') AS succeeded,
       count(*) FILTER (WHERE i.status <> 'success') AS failed,
       round(avg(extract(epoch FROM i.ended_at - i.started_at)) FILTER (WHERE i.status = 'success'), 3) AS mean_seconds,
       round((percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM i.ended_at - i.started_at))
              FILTER (WHERE i.status = 'success'))::numeric, 3) AS p95_seconds
FROM item i JOIN task t ON t.id = i.task_id
WHERE i.ended_at IS NOT NULL
GROUP BY 1, 2, 3, 4;
COMMENT ON VIEW item_throughput IS 'Items that ended, by hour, tenant, kind and mode. Seconds are measured from the start of the first stage to the result, waiting included, over successful items.';
COMMENT ON COLUMN item_throughput.hour IS 'Start of the hour in which the items ended.';
COMMENT ON COLUMN item_throughput.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN item_throughput.kind IS 'Kind of the tasks.';
COMMENT ON COLUMN item_throughput.mode IS 'Mode of the items; the requested mode, for items that never started.';
COMMENT ON COLUMN item_throughput.items IS 'Items ended: succeeded + failed.';
COMMENT ON COLUMN item_throughput.succeeded IS 'Items with a result.';
COMMENT ON COLUMN item_throughput.failed IS 'Items that failed or were canceled.';
COMMENT ON COLUMN item_throughput.mean_seconds IS 'Mean seconds of a successful item.';
COMMENT ON COLUMN item_throughput.p95_seconds IS '95th percentile of the seconds of successful items, interpolated.';

CREATE VIEW page_throughput AS
SELECT hour, tenant, mode, items AS pages, succeeded, failed, mean_seconds, p95_seconds FROM item_throughput WHERE kind = 'comic';
COMMENT ON VIEW page_throughput IS 'Pages of comics that ended, by hour, tenant and mode, as in item_throughput. Example: SELECT hour, sum(pages) / 60.0 AS pages_per_minute FROM page_throughput GROUP BY hour ORDER BY hour;';
COMMENT ON COLUMN page_throughput.hour IS 'Start of the hour in which the pages ended.';
COMMENT ON COLUMN page_throughput.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN page_throughput.mode IS 'Mode of the pages; the requested mode, for pages that never started.';
COMMENT ON COLUMN page_throughput.pages IS 'Pages ended: succeeded + failed.';
COMMENT ON COLUMN page_throughput.succeeded IS 'Pages with a result.';
COMMENT ON COLUMN page_throughput.failed IS 'Pages that failed or were canceled.';
COMMENT ON COLUMN page_throughput.mean_seconds IS 'Mean seconds of a successful page.';
COMMENT ON COLUMN page_throughput.p95_seconds IS '95th percentile of the seconds of successful pages, interpolated.';

CREATE VIEW fallback_rate AS
SELECT date_trunc('day', i.ended_at, 'UTC') AS day,
       t.tenant,
       count(*) AS pages,
       count(*) FILTER (WHERE i.mode = 'fallback_to_unified') AS fallback_pages,
       count(*) FILTER (WHERE i.mode = 'fallback_to_unified' AND i.status <> 'success') AS fallback_failed,
       round(count(*) FILTER (WHERE i.mode = 'fallback_to_unified')::numeric / count(*), 4) AS rate
FROM item i JOIN task t ON t.id = i.task_id
WHERE t.kind = 'comic' AND i.ended_at IS NOT NULL AND i.mode IN ('split', 'fallback_to_unified')
GROUP BY 1, 2;
COMMENT ON VIEW fallback_rate IS 'Pages that lost their detect context and were processed again as a whole, by day and tenant. A rate above a few percent means that hosts restart, or that contexts expire before they are rendered.';
COMMENT ON COLUMN fallback_rate.day IS 'Day on which the pages ended.';
COMMENT ON COLUMN fallback_rate.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN fallback_rate.pages IS 'Pages ended that started in split mode.';
COMMENT ON COLUMN fallback_rate.fallback_pages IS 'Of those, the pages that fell back.';
COMMENT ON COLUMN fallback_rate.fallback_failed IS 'Of those that fell back, the pages that failed.';
COMMENT ON COLUMN fallback_rate.rate IS 'fallback_pages / pages, 0..1.';

CREATE VIEW failures_by_stage AS
SELECT day, tenant, stage, code, sum(pages) AS pages, sum(attempts) AS attempts, kind
FROM (
    SELECT date_trunc('day', i.ended_at, 'UTC') AS day, t.tenant, t.kind, i.failure_stage AS stage, i.failure_code AS code,
           1 AS pages, 0 AS attempts
    FROM item i JOIN task t ON t.id = i.task_id
    WHERE i.failure_code IS NOT NULL
    UNION ALL
    SELECT date_trunc('day', r.ended_at, 'UTC'), t.tenant, t.kind, r.failure_stage, r.code, 0, 1
    FROM stage_run r JOIN task t ON t.id = r.task_id
    WHERE r.code IS NOT NULL
) AS failure
GROUP BY day, tenant, kind, stage, code;
COMMENT ON VIEW failures_by_stage IS 'Failures of every kind, by day, tenant, stage and code: items that failed for good, and attempts that failed, retried or not.';
COMMENT ON COLUMN failures_by_stage.day IS 'Day on which the item or attempt ended.';
COMMENT ON COLUMN failures_by_stage.tenant IS 'Owner of the tasks.';
COMMENT ON COLUMN failures_by_stage.stage IS 'Failure stage; detect, translate, render, page (unified mode) or fallback for comics. Null for items that never started.';
COMMENT ON COLUMN failures_by_stage.code IS 'Code of the failure; HOST_LOST for an attempt that never answered.';
COMMENT ON COLUMN failures_by_stage.pages IS 'Items that failed for good: pages, for comics.';
COMMENT ON COLUMN failures_by_stage.attempts IS 'Attempts that failed.';
COMMENT ON COLUMN failures_by_stage.kind IS 'Kind of the tasks.';

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
COMMENT ON VIEW cost_by_model_day IS 'Cost of models, by day, tenant, provider and model. Failed calls and calls of deleted tasks are included.';
COMMENT ON COLUMN cost_by_model_day.day IS 'Day on which the calls were made.';
COMMENT ON COLUMN cost_by_model_day.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN cost_by_model_day.provider IS 'Provider that was called.';
COMMENT ON COLUMN cost_by_model_day.model IS 'Model that was requested.';
COMMENT ON COLUMN cost_by_model_day.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_model_day.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_model_day.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_model_day.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN cost_by_model_day.cost IS 'Cost in the currency of the price table; 0 for models without a known price.';
COMMENT ON COLUMN cost_by_model_day.mean_latency_ms IS 'Mean milliseconds of a call.';

CREATE VIEW cost_by_tenant_day AS
SELECT day, tenant, sum(calls) AS calls, sum(failed_calls) AS failed_calls, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens, sum(cost) AS cost
FROM cost_by_model_day
GROUP BY day, tenant;
COMMENT ON VIEW cost_by_tenant_day IS 'Cost of models, by day and tenant. Failed calls and calls of deleted tasks are included.';
COMMENT ON COLUMN cost_by_tenant_day.day IS 'Day on which the calls were made.';
COMMENT ON COLUMN cost_by_tenant_day.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN cost_by_tenant_day.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_tenant_day.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_tenant_day.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_tenant_day.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN cost_by_tenant_day.cost IS 'Cost in the currency of the price table.';

CREATE VIEW cost_by_item AS
SELECT i.task_id, i.item_index, t.tenant, t.kind, i.name,
       c.calls, c.failed_calls, c.input_tokens, c.output_tokens, c.cost_micros, round(c.cost_micros / 1e6, 6) AS cost, c.latency_ms,
       coalesce((i.estimate ->> 'calls')::bigint, 0) AS estimated_calls,
       coalesce((i.estimate ->> 'input_tokens')::bigint, 0) AS estimated_input_tokens,
       coalesce((i.estimate ->> 'output_tokens')::bigint, 0) AS estimated_output_tokens,
       coalesce((i.estimate ->> 'cost_micros')::bigint, 0) AS estimated_cost_micros,
       round(coalesce((i.estimate ->> 'cost_micros')::numeric, 0) / 1e6, 6) AS estimated_cost
FROM item i
JOIN task t ON t.id = i.task_id
CROSS JOIN LATERAL (
    SELECT count(*) AS calls, count(*) FILTER (WHERE outcome <> 'ok') AS failed_calls, coalesce(sum(input_tokens), 0) AS input_tokens,
           coalesce(sum(output_tokens), 0) AS output_tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
           coalesce(sum(latency_ms), 0) AS latency_ms
    FROM model_call m WHERE m.task_id = i.task_id AND m.item_index = i.item_index
) c;
COMMENT ON VIEW cost_by_item IS 'Actual and estimated cost of model calls, by item. An answer that an earlier task of the tenant paid for costs nothing again.';
COMMENT ON COLUMN cost_by_item.task_id IS 'Id of the task.';
COMMENT ON COLUMN cost_by_item.item_index IS 'Position in the task, from 0.';
COMMENT ON COLUMN cost_by_item.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN cost_by_item.kind IS 'Kind of the task.';
COMMENT ON COLUMN cost_by_item.name IS 'File name of the item.';
COMMENT ON COLUMN cost_by_item.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_item.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_item.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_item.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN cost_by_item.cost_micros IS 'Cost in millionths of the currency of the price table.';
COMMENT ON COLUMN cost_by_item.cost IS 'Cost in the currency of the price table; 0 for models without a known price.';
COMMENT ON COLUMN cost_by_item.latency_ms IS 'Milliseconds of all calls together.';
COMMENT ON COLUMN cost_by_item.estimated_calls IS 'Estimated number of calls.';
COMMENT ON COLUMN cost_by_item.estimated_input_tokens IS 'Estimated tokens to send.';
COMMENT ON COLUMN cost_by_item.estimated_output_tokens IS 'Estimated tokens to receive.';
COMMENT ON COLUMN cost_by_item.estimated_cost_micros IS 'Estimated cost in millionths of the currency of the price table.';
COMMENT ON COLUMN cost_by_item.estimated_cost IS 'Estimated cost in the currency of the price table.';

CREATE VIEW cost_by_page AS
SELECT task_id, item_index AS page_index, tenant, name, calls, failed_calls, input_tokens, output_tokens, cost_micros, cost, latency_ms,
       estimated_calls, estimated_input_tokens, estimated_output_tokens, estimated_cost_micros, estimated_cost
FROM cost_by_item WHERE kind = 'comic';
COMMENT ON VIEW cost_by_page IS 'Actual and estimated cost of model calls, by page of a comic, as in cost_by_item.';
COMMENT ON COLUMN cost_by_page.task_id IS 'Id of the task.';
COMMENT ON COLUMN cost_by_page.page_index IS 'Position in the chapter, from 0.';
COMMENT ON COLUMN cost_by_page.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN cost_by_page.name IS 'File name of the page.';
COMMENT ON COLUMN cost_by_page.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_page.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_page.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_page.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN cost_by_page.cost_micros IS 'Cost in millionths of the currency of the price table.';
COMMENT ON COLUMN cost_by_page.cost IS 'Cost in the currency of the price table; 0 for models without a known price.';
COMMENT ON COLUMN cost_by_page.latency_ms IS 'Milliseconds of all calls together.';
COMMENT ON COLUMN cost_by_page.estimated_calls IS 'Estimated number of calls.';
COMMENT ON COLUMN cost_by_page.estimated_input_tokens IS 'Estimated tokens to send.';
COMMENT ON COLUMN cost_by_page.estimated_output_tokens IS 'Estimated tokens to receive.';
COMMENT ON COLUMN cost_by_page.estimated_cost_micros IS 'Estimated cost in millionths of the currency of the price table.';
COMMENT ON COLUMN cost_by_page.estimated_cost IS 'Estimated cost in the currency of the price table.';

CREATE VIEW cost_by_task AS
SELECT task_id, tenant, count(*) AS pages, sum(calls) AS calls, sum(failed_calls) AS failed_calls, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens, sum(cost) AS cost, sum(estimated_calls) AS estimated_calls, sum(estimated_cost) AS estimated_cost
FROM cost_by_item
GROUP BY task_id, tenant;
COMMENT ON VIEW cost_by_task IS 'Actual and estimated cost of model calls, by task of any kind.';
COMMENT ON COLUMN cost_by_task.task_id IS 'Id of the task.';
COMMENT ON COLUMN cost_by_task.tenant IS 'Tenant that pays.';
COMMENT ON COLUMN cost_by_task.pages IS 'Items of the task: pages, for comics.';
COMMENT ON COLUMN cost_by_task.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_task.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_task.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_task.output_tokens IS 'Tokens received.';
COMMENT ON COLUMN cost_by_task.cost IS 'Cost in the currency of the price table.';
COMMENT ON COLUMN cost_by_task.estimated_calls IS 'Estimated number of calls.';
COMMENT ON COLUMN cost_by_task.estimated_cost IS 'Estimated cost.';

-- +goose Down
DROP VIEW cost_by_task, cost_by_page, cost_by_item, cost_by_tenant_day, cost_by_model_day, failures_by_stage, fallback_rate, page_throughput, item_throughput;
