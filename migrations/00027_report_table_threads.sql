-- The report of a document says how many cells of a table were translated at the same time.

-- +goose Up
CREATE OR REPLACE VIEW document_report AS
SELECT t.id AS task_id, t.tenant, t.status, t.started_at, t.ended_at, r.translation_seconds,
       c.provider, c.model, e.threads, c.calls AS llm_call_count,
       c.input_tokens AS actual_input_tokens, c.output_tokens AS actual_output_tokens,
       c.input_tokens + c.output_tokens AS actual_total_tokens,
       CASE WHEN c.calls = 0 THEN NULL WHEN c.estimated THEN 'tokenizer' ELSE 'provider' END AS tokens_from,
       e.input_tokens AS estimated_input_tokens, e.output_tokens AS estimated_output_tokens, e.seconds AS estimated_seconds,
       round((c.input_tokens + c.output_tokens)::numeric / nullif(e.input_tokens + e.output_tokens, 0) - 1, 4) AS token_deviation,
       round((r.translation_seconds / nullif(e.seconds, 0))::numeric - 1, 4) AS time_deviation,
       b.paragraphs_total, b.paragraphs_translated, b.paragraphs_skipped_empty, b.paragraphs_skipped_formula, b.paragraphs_skipped_no_text,
       b.paragraphs_skipped_failed,
       b.cells_total, b.cells_translated, b.cells_skipped_empty, b.cells_skipped_formula, b.cells_skipped_no_text, b.cells_skipped_failed,
       round(b.translated::numeric / nullif(b.translated + b.failed, 0), 4) AS success_rate,
       e.table_threads
FROM task t
LEFT JOIN document_estimate e ON e.task_id = t.id
CROSS JOIN LATERAL (
    SELECT max(provider) AS provider, max(model) AS model, count(*) FILTER (WHERE outcome = 'ok') AS calls,
           coalesce(sum(input_tokens), 0) AS input_tokens, coalesce(sum(output_tokens), 0) AS output_tokens,
           coalesce(bool_or(tokens_estimated), false) AS estimated
    FROM model_call m WHERE m.task_id = t.id
) c
CROSS JOIN LATERAL (
    SELECT extract(epoch FROM max(ended_at) - min(started_at))::double precision AS translation_seconds
    FROM stage_run r WHERE r.task_id = t.id AND r.stage = 'translate'
) r
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE table_index IS NULL) AS paragraphs_total,
           count(*) FILTER (WHERE table_index IS NULL AND translation <> '') AS paragraphs_translated,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'empty') AS paragraphs_skipped_empty,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'formula') AS paragraphs_skipped_formula,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'no_text') AS paragraphs_skipped_no_text,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated NOT IN ('empty', 'formula', 'no_text')) AS paragraphs_skipped_failed,
           count(*) FILTER (WHERE table_index IS NOT NULL) AS cells_total,
           count(*) FILTER (WHERE table_index IS NOT NULL AND translation <> '') AS cells_translated,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'empty') AS cells_skipped_empty,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'formula') AS cells_skipped_formula,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'no_text') AS cells_skipped_no_text,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated NOT IN ('empty', 'formula', 'no_text')) AS cells_skipped_failed,
           count(*) FILTER (WHERE translation <> '') AS translated,
           count(*) FILTER (WHERE untranslated NOT IN ('empty', 'formula', 'no_text')) AS failed
    FROM document_block b WHERE b.task_id = t.id AND (NOT b.continues OR b.untranslated IS NOT NULL)
) b
WHERE t.kind = 'document';
COMMENT ON COLUMN document_report.table_threads IS 'Table cells of a page that were translated at the same time, at most.';

-- +goose Down
DROP VIEW document_report;
CREATE VIEW document_report AS
SELECT t.id AS task_id, t.tenant, t.status, t.started_at, t.ended_at, r.translation_seconds,
       c.provider, c.model, e.threads, c.calls AS llm_call_count,
       c.input_tokens AS actual_input_tokens, c.output_tokens AS actual_output_tokens,
       c.input_tokens + c.output_tokens AS actual_total_tokens,
       CASE WHEN c.calls = 0 THEN NULL WHEN c.estimated THEN 'tokenizer' ELSE 'provider' END AS tokens_from,
       e.input_tokens AS estimated_input_tokens, e.output_tokens AS estimated_output_tokens, e.seconds AS estimated_seconds,
       round((c.input_tokens + c.output_tokens)::numeric / nullif(e.input_tokens + e.output_tokens, 0) - 1, 4) AS token_deviation,
       round((r.translation_seconds / nullif(e.seconds, 0))::numeric - 1, 4) AS time_deviation,
       b.paragraphs_total, b.paragraphs_translated, b.paragraphs_skipped_empty, b.paragraphs_skipped_formula, b.paragraphs_skipped_no_text,
       b.paragraphs_skipped_failed,
       b.cells_total, b.cells_translated, b.cells_skipped_empty, b.cells_skipped_formula, b.cells_skipped_no_text, b.cells_skipped_failed,
       round(b.translated::numeric / nullif(b.translated + b.failed, 0), 4) AS success_rate
FROM task t
LEFT JOIN document_estimate e ON e.task_id = t.id
CROSS JOIN LATERAL (
    SELECT max(provider) AS provider, max(model) AS model, count(*) FILTER (WHERE outcome = 'ok') AS calls,
           coalesce(sum(input_tokens), 0) AS input_tokens, coalesce(sum(output_tokens), 0) AS output_tokens,
           coalesce(bool_or(tokens_estimated), false) AS estimated
    FROM model_call m WHERE m.task_id = t.id
) c
CROSS JOIN LATERAL (
    SELECT extract(epoch FROM max(ended_at) - min(started_at))::double precision AS translation_seconds
    FROM stage_run r WHERE r.task_id = t.id AND r.stage = 'translate'
) r
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE table_index IS NULL) AS paragraphs_total,
           count(*) FILTER (WHERE table_index IS NULL AND translation <> '') AS paragraphs_translated,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'empty') AS paragraphs_skipped_empty,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'formula') AS paragraphs_skipped_formula,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated = 'no_text') AS paragraphs_skipped_no_text,
           count(*) FILTER (WHERE table_index IS NULL AND untranslated NOT IN ('empty', 'formula', 'no_text')) AS paragraphs_skipped_failed,
           count(*) FILTER (WHERE table_index IS NOT NULL) AS cells_total,
           count(*) FILTER (WHERE table_index IS NOT NULL AND translation <> '') AS cells_translated,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'empty') AS cells_skipped_empty,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'formula') AS cells_skipped_formula,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated = 'no_text') AS cells_skipped_no_text,
           count(*) FILTER (WHERE table_index IS NOT NULL AND untranslated NOT IN ('empty', 'formula', 'no_text')) AS cells_skipped_failed,
           count(*) FILTER (WHERE translation <> '') AS translated,
           count(*) FILTER (WHERE untranslated NOT IN ('empty', 'formula', 'no_text')) AS failed
    FROM document_block b WHERE b.task_id = t.id AND (NOT b.continues OR b.untranslated IS NOT NULL)
) b
WHERE t.kind = 'document';
