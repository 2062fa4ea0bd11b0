-- What models cost by page, task and tenant, beside what they should have cost.

-- +goose Up
ALTER TABLE page ADD COLUMN estimate jsonb;
COMMENT ON COLUMN page.estimate IS 'What its translation should take, counted before the model was asked: calls, input_tokens, output_tokens, cost_micros.';

CREATE VIEW cost_by_page AS
SELECT p.task_id, p.page_index, t.tenant, p.name,
       c.calls, c.failed_calls, c.input_tokens, c.output_tokens, c.cost_micros, round(c.cost_micros / 1e6, 6) AS cost, c.latency_ms,
       coalesce((p.estimate ->> 'calls')::bigint, 0) AS estimated_calls,
       coalesce((p.estimate ->> 'input_tokens')::bigint, 0) AS estimated_input_tokens,
       coalesce((p.estimate ->> 'output_tokens')::bigint, 0) AS estimated_output_tokens,
       coalesce((p.estimate ->> 'cost_micros')::bigint, 0) AS estimated_cost_micros,
       round(coalesce((p.estimate ->> 'cost_micros')::numeric, 0) / 1e6, 6) AS estimated_cost
FROM page p
JOIN task t ON t.id = p.task_id
CROSS JOIN LATERAL (
    SELECT count(*) AS calls, count(*) FILTER (WHERE outcome <> 'ok') AS failed_calls, coalesce(sum(input_tokens), 0) AS input_tokens,
           coalesce(sum(output_tokens), 0) AS output_tokens, coalesce(sum(cost_micros), 0) AS cost_micros,
           coalesce(sum(latency_ms), 0) AS latency_ms
    FROM model_call m WHERE m.task_id = p.task_id AND m.page_index = p.page_index
) c;
COMMENT ON VIEW cost_by_page IS 'What model calls cost, by page, beside the estimate made before. An answer that an earlier task of the tenant paid for costs nothing again.';
COMMENT ON COLUMN cost_by_page.task_id IS 'The task.';
COMMENT ON COLUMN cost_by_page.page_index IS 'Place in the chapter, from 0.';
COMMENT ON COLUMN cost_by_page.tenant IS 'Who pays.';
COMMENT ON COLUMN cost_by_page.name IS 'File name of the page.';
COMMENT ON COLUMN cost_by_page.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_page.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_page.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_page.output_tokens IS 'Tokens answered.';
COMMENT ON COLUMN cost_by_page.cost_micros IS 'Cost in millionths of the currency of the price table.';
COMMENT ON COLUMN cost_by_page.cost IS 'Cost in the currency of the price table; 0 for models without a known price.';
COMMENT ON COLUMN cost_by_page.latency_ms IS 'Milliseconds of all calls together.';
COMMENT ON COLUMN cost_by_page.estimated_calls IS 'Calls that the page should have taken.';
COMMENT ON COLUMN cost_by_page.estimated_input_tokens IS 'Tokens that it should have sent.';
COMMENT ON COLUMN cost_by_page.estimated_output_tokens IS 'Tokens that it should have got.';
COMMENT ON COLUMN cost_by_page.estimated_cost_micros IS 'What it should have cost, in millionths of the currency.';
COMMENT ON COLUMN cost_by_page.estimated_cost IS 'What it should have cost, in the currency of the price table.';

CREATE VIEW cost_by_task AS
SELECT task_id, tenant, count(*) AS pages, sum(calls) AS calls, sum(failed_calls) AS failed_calls, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens, sum(cost) AS cost, sum(estimated_calls) AS estimated_calls, sum(estimated_cost) AS estimated_cost
FROM cost_by_page
GROUP BY task_id, tenant;
COMMENT ON VIEW cost_by_task IS 'What model calls cost, by chapter, beside the estimate made before.';
COMMENT ON COLUMN cost_by_task.task_id IS 'The task.';
COMMENT ON COLUMN cost_by_task.tenant IS 'Who pays.';
COMMENT ON COLUMN cost_by_task.pages IS 'Pages of the task.';
COMMENT ON COLUMN cost_by_task.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_task.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_task.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_task.output_tokens IS 'Tokens answered.';
COMMENT ON COLUMN cost_by_task.cost IS 'Cost in the currency of the price table.';
COMMENT ON COLUMN cost_by_task.estimated_calls IS 'Calls that the pages should have taken.';
COMMENT ON COLUMN cost_by_task.estimated_cost IS 'What they should have cost.';

CREATE VIEW cost_by_tenant_day AS
SELECT day, tenant, sum(calls) AS calls, sum(failed_calls) AS failed_calls, sum(input_tokens) AS input_tokens,
       sum(output_tokens) AS output_tokens, sum(cost) AS cost
FROM cost_by_model_day
GROUP BY day, tenant;
COMMENT ON VIEW cost_by_tenant_day IS 'What models cost, by day and tenant. Failed calls count, deleted tasks too.';
COMMENT ON COLUMN cost_by_tenant_day.day IS 'Day on which the calls were made.';
COMMENT ON COLUMN cost_by_tenant_day.tenant IS 'Who pays.';
COMMENT ON COLUMN cost_by_tenant_day.calls IS 'Calls made.';
COMMENT ON COLUMN cost_by_tenant_day.failed_calls IS 'Calls without an answer.';
COMMENT ON COLUMN cost_by_tenant_day.input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN cost_by_tenant_day.output_tokens IS 'Tokens answered.';
COMMENT ON COLUMN cost_by_tenant_day.cost IS 'Cost in the currency of the price table.';

-- +goose Down
DROP VIEW cost_by_tenant_day, cost_by_task, cost_by_page;
ALTER TABLE page DROP COLUMN estimate;
