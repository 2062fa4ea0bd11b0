-- Titles of bookmarks are texts of their pages.

-- +goose Up
COMMENT ON COLUMN document_block.class IS 'text, title, figure, figure_caption, table, table_caption, table_footnote, header, footer, reference, formula, formula_caption, abandoned, or bookmark: the title of a bookmark that leads to the page, without a place on it.';

-- +goose Down
COMMENT ON COLUMN document_block.class IS 'text, title, figure, figure_caption, table, table_caption, table_footnote, header, footer, reference, formula, formula_caption or abandoned.';
