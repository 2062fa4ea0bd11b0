-- What only documents know: their pages, the blocks of text on them, and the files of their results.

-- +goose Up
CREATE TABLE document_page (
    task_id      text NOT NULL,
    item_index   integer NOT NULL,
    page_index   integer NOT NULL CHECK (page_index >= 0),
    label        text NOT NULL DEFAULT '',
    width        real CHECK (width > 0),
    height       real CHECK (height > 0),
    rotate       integer NOT NULL DEFAULT 0 CHECK (rotate IN (0, 90, 180, 270)),
    scanned      boolean NOT NULL DEFAULT false,
    content_hash text NOT NULL DEFAULT '',
    provider     text,
    model        text,
    overflow     integer NOT NULL DEFAULT 0 CHECK (overflow >= 0),
    PRIMARY KEY (task_id, item_index),
    FOREIGN KEY (task_id, item_index) REFERENCES item ON DELETE CASCADE
);
COMMENT ON TABLE document_page IS 'Details of an item that is a page of a document, from its layout on.';
COMMENT ON COLUMN document_page.task_id IS 'Id of the task.';
COMMENT ON COLUMN document_page.item_index IS 'Position among the translated pages, from 0.';
COMMENT ON COLUMN document_page.page_index IS 'Position in the document, from 0.';
COMMENT ON COLUMN document_page.label IS 'Page label, such as iv; empty when the document has none.';
COMMENT ON COLUMN document_page.width IS 'Width of the crop box in points, before rotation.';
COMMENT ON COLUMN document_page.height IS 'Height of the crop box in points, before rotation.';
COMMENT ON COLUMN document_page.rotate IS 'Rotation of the page in degrees, clockwise.';
COMMENT ON COLUMN document_page.scanned IS 'True for a page that is a picture of text, such as a scan.';
COMMENT ON COLUMN document_page.content_hash IS 'Hash of the content that the blocks refer to.';
COMMENT ON COLUMN document_page.provider IS 'Provider of the translations.';
COMMENT ON COLUMN document_page.model IS 'Model of the translations.';
COMMENT ON COLUMN document_page.overflow IS 'Number of texts that do not fit at the smallest size.';

CREATE TABLE document_block (
    task_id      text NOT NULL,
    item_index   integer NOT NULL,
    block_index  integer NOT NULL CHECK (block_index >= 0),
    class        text NOT NULL,
    source       text NOT NULL,
    tokens       integer NOT NULL DEFAULT 0 CHECK (tokens >= 0),
    translation  text,
    untranslated text CHECK (untranslated <> ''),
    formulas     integer NOT NULL DEFAULT 0 CHECK (formulas >= 0),
    continues    boolean NOT NULL DEFAULT false,
    table_index  integer CHECK (table_index >= 0),
    row_index    integer CHECK (row_index >= 0),
    column_index integer CHECK (column_index >= 0),
    x0           real NOT NULL,
    y0           real NOT NULL,
    x1           real NOT NULL,
    y1           real NOT NULL,
    font_size    real NOT NULL DEFAULT 0,
    scale        real CHECK (scale > 0),
    geometry     jsonb NOT NULL,
    provider     text,
    model        text,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (task_id, item_index, block_index),
    FOREIGN KEY (task_id, item_index) REFERENCES document_page ON DELETE CASCADE
);
COMMENT ON TABLE document_block IS 'One paragraph, heading, caption or table cell of a page: its text and its translation.';
COMMENT ON COLUMN document_block.task_id IS 'Id of the task.';
COMMENT ON COLUMN document_block.item_index IS 'Index of the page.';
COMMENT ON COLUMN document_block.block_index IS 'Position in reading order, from 0.';
COMMENT ON COLUMN document_block.class IS 'text, title, figure, figure_caption, table, table_caption, table_footnote, header, footer, reference, formula, formula_caption, abandoned, or bookmark: the title of a bookmark that leads to the page, without a place on it.';
COMMENT ON COLUMN document_block.source IS 'Text of the page; formulas are the markers {v0}, {v1} and so on.';
COMMENT ON COLUMN document_block.tokens IS 'Tokens of source, by the tokenizer of the installation.';
COMMENT ON COLUMN document_block.translation IS 'Text in the target language; null until translated, and for a block that stays as it is.';
COMMENT ON COLUMN document_block.untranslated IS 'Why the block stays as it is. Without a request: empty, no_text, formula, unmapped, slanted. After requests: no_font, no_room, form (a formula was lost), missing, empty, double, merged, extra, same, wrong_script, prompt_echo, repetition, too_long or refused.';
COMMENT ON COLUMN document_block.formulas IS 'Number of formulas in the text.';
COMMENT ON COLUMN document_block.continues IS 'True when the text continues the paragraph of an earlier block, of its page or of the page before.';
COMMENT ON COLUMN document_block.table_index IS 'Table of the page, from 0; null outside of tables.';
COMMENT ON COLUMN document_block.row_index IS 'Row of the cell, from 0.';
COMMENT ON COLUMN document_block.column_index IS 'Column of the cell, from 0.';
COMMENT ON COLUMN document_block.x0 IS 'Left edge of the source text in points, in the user space of the page.';
COMMENT ON COLUMN document_block.y0 IS 'Lower edge.';
COMMENT ON COLUMN document_block.x1 IS 'Right edge.';
COMMENT ON COLUMN document_block.y1 IS 'Upper edge.';
COMMENT ON COLUMN document_block.font_size IS 'Size of most of the source text in points.';
COMMENT ON COLUMN document_block.scale IS 'Size of the translation relative to that of the source; null until it is set.';
COMMENT ON COLUMN document_block.geometry IS 'Glyphs, formulas, styles and alignment, as the engine needs them to set the translation.';
COMMENT ON COLUMN document_block.provider IS 'Provider of the translation.';
COMMENT ON COLUMN document_block.model IS 'Model of the translation.';
COMMENT ON COLUMN document_block.updated_at IS 'When the block was last read, translated or set.';

CREATE TABLE document_estimate (
    task_id       text PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    threads       integer NOT NULL CHECK (threads > 0),
    table_threads integer NOT NULL DEFAULT 1 CHECK (table_threads > 0),
    reasoning     boolean NOT NULL,
    prompt_tokens integer NOT NULL CHECK (prompt_tokens >= 0),
    input_tokens  bigint NOT NULL CHECK (input_tokens >= 0),
    output_tokens bigint NOT NULL CHECK (output_tokens >= 0),
    seconds       double precision NOT NULL CHECK (seconds >= 0),
    created_at    timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE document_estimate IS 'What the translation of a document was expected to take, from the texts that were found in it.';
COMMENT ON COLUMN document_estimate.task_id IS 'Id of the task.';
COMMENT ON COLUMN document_estimate.threads IS 'Texts of a page outside of tables that were translated at the same time, at most.';
COMMENT ON COLUMN document_estimate.table_threads IS 'Table cells of a page that were translated at the same time, at most.';
COMMENT ON COLUMN document_estimate.reasoning IS 'True for a model that reasons before it answers.';
COMMENT ON COLUMN document_estimate.prompt_tokens IS 'Tokens of the instructions of one call.';
COMMENT ON COLUMN document_estimate.input_tokens IS 'Estimated tokens to send.';
COMMENT ON COLUMN document_estimate.output_tokens IS 'Estimated tokens to receive.';
COMMENT ON COLUMN document_estimate.seconds IS 'Estimated seconds of the translation.';
COMMENT ON COLUMN document_estimate.created_at IS 'When the estimate was made.';

CREATE VIEW document_report AS
SELECT t.id AS task_id, t.tenant, t.status, t.started_at, t.ended_at, r.translation_seconds,
       c.provider, c.model, e.threads, e.table_threads, c.calls AS llm_call_count,
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
COMMENT ON VIEW document_report IS 'What the translation of each document took, beside its estimate.';
COMMENT ON COLUMN document_report.task_id IS 'Id of the task.';
COMMENT ON COLUMN document_report.tenant IS 'Owner of the task.';
COMMENT ON COLUMN document_report.status IS 'Status of the task.';
COMMENT ON COLUMN document_report.started_at IS 'When the task started, or its last retry.';
COMMENT ON COLUMN document_report.ended_at IS 'When the task ended; null while it runs.';
COMMENT ON COLUMN document_report.translation_seconds IS 'Seconds from the start of the first translation to the end of the last.';
COMMENT ON COLUMN document_report.provider IS 'Provider of the model calls.';
COMMENT ON COLUMN document_report.model IS 'Model that was requested.';
COMMENT ON COLUMN document_report.threads IS 'Texts of a page outside of tables that were translated at the same time, at most.';
COMMENT ON COLUMN document_report.table_threads IS 'Table cells of a page that were translated at the same time, at most.';
COMMENT ON COLUMN document_report.llm_call_count IS 'Calls with an answer. An answer that an earlier task of the tenant paid for is not among them.';
COMMENT ON COLUMN document_report.actual_input_tokens IS 'Tokens sent.';
COMMENT ON COLUMN document_report.actual_output_tokens IS 'Tokens received.';
COMMENT ON COLUMN document_report.actual_total_tokens IS 'Tokens sent and received.';
COMMENT ON COLUMN document_report.tokens_from IS 'provider when every call reported its usage; tokenizer when tokens of some call were counted here. Null without calls.';
COMMENT ON COLUMN document_report.estimated_input_tokens IS 'Estimated tokens to send.';
COMMENT ON COLUMN document_report.estimated_output_tokens IS 'Estimated tokens to receive.';
COMMENT ON COLUMN document_report.estimated_seconds IS 'Estimated seconds of the translation.';
COMMENT ON COLUMN document_report.token_deviation IS 'Actual tokens relative to the estimated ones, less 1: 0.1 is a tenth more.';
COMMENT ON COLUMN document_report.time_deviation IS 'Actual seconds of the translation relative to the estimated ones, less 1.';
COMMENT ON COLUMN document_report.paragraphs_total IS 'Texts outside of tables. A paragraph over columns or pages counts once; a part of it that stays untranslated for itself is one more.';
COMMENT ON COLUMN document_report.paragraphs_translated IS 'Paragraphs with a translation.';
COMMENT ON COLUMN document_report.paragraphs_skipped_empty IS 'Paragraphs without a text.';
COMMENT ON COLUMN document_report.paragraphs_skipped_formula IS 'Paragraphs of formulas alone.';
COMMENT ON COLUMN document_report.paragraphs_skipped_no_text IS 'Paragraphs without a letter of any script.';
COMMENT ON COLUMN document_report.paragraphs_skipped_failed IS 'Paragraphs without an acceptable translation, and those whose text cannot be read.';
COMMENT ON COLUMN document_report.cells_total IS 'Cells of tables.';
COMMENT ON COLUMN document_report.cells_translated IS 'Cells with a translation.';
COMMENT ON COLUMN document_report.cells_skipped_empty IS 'Cells without a text.';
COMMENT ON COLUMN document_report.cells_skipped_formula IS 'Cells of formulas alone.';
COMMENT ON COLUMN document_report.cells_skipped_no_text IS 'Cells without a letter of any script.';
COMMENT ON COLUMN document_report.cells_skipped_failed IS 'Cells without an acceptable translation, and those whose text cannot be read.';
COMMENT ON COLUMN document_report.success_rate IS 'Translated texts relative to all that were to be translated, 0..1; null without any.';

-- +goose Down
DROP VIEW document_report;
DROP TABLE document_estimate, document_block, document_page;
