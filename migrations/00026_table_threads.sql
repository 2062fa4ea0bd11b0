-- The cells of tables are translated with threads of their own.

-- +goose Up
ALTER TABLE document_estimate ADD COLUMN table_threads integer NOT NULL DEFAULT 1 CHECK (table_threads > 0);
COMMENT ON COLUMN document_estimate.threads IS 'Texts of a page outside of tables that were translated at the same time, at most.';
COMMENT ON COLUMN document_estimate.table_threads IS 'Table cells of a page that were translated at the same time, at most.';
COMMENT ON COLUMN document_report.threads IS 'Texts of a page outside of tables that were translated at the same time, at most.';

-- +goose Down
COMMENT ON COLUMN document_report.threads IS 'Texts that were translated at the same time, at most.';
COMMENT ON COLUMN document_estimate.threads IS 'Texts that were translated at the same time, at most.';
ALTER TABLE document_estimate DROP COLUMN table_threads;
