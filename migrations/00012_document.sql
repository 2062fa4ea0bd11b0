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
COMMENT ON COLUMN document_page.scanned IS 'True for a page without a text layer.';
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
COMMENT ON COLUMN document_block.class IS 'text, title, figure, figure_caption, table, table_caption, table_footnote, header, footer, reference, formula, formula_caption or abandoned.';
COMMENT ON COLUMN document_block.source IS 'Text of the page; formulas are the markers {v0}, {v1} and so on.';
COMMENT ON COLUMN document_block.translation IS 'Text in the target language; null until translated, and for a block that stays as it is.';
COMMENT ON COLUMN document_block.untranslated IS 'Why the block stays as it is. Without a request: empty, no_text, formula, unmapped, slanted. After requests: no_font, form (a formula was lost), missing, empty, double, merged, extra, same, wrong_script, prompt_echo, repetition, too_long or refused.';
COMMENT ON COLUMN document_block.formulas IS 'Number of formulas in the text.';
COMMENT ON COLUMN document_block.continues IS 'True when the text continues the paragraph of the block before.';
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

-- +goose Down
DROP TABLE document_block, document_page;
