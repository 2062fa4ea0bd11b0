-- Regions that people draw on a page, where the reading has missed some text.

-- +goose Up
ALTER TABLE comic_region
    ADD COLUMN reading text CHECK (reading IN ('running', 'translating', 'done')),
    ADD COLUMN absent boolean GENERATED ALWAYS AS (reading IS NOT NULL AND override @> '{"deleted": true}') STORED;
CREATE INDEX comic_region_to_translate ON comic_region (task_id, item_index) WHERE reading = 'translating';
COMMENT ON COLUMN comic_region.reading IS 'Of a region that a person drew: running until its text is read, translating while a model is asked for its translation, then done. Null for a region that was found.';
COMMENT ON COLUMN comic_region.absent IS 'True for a region that is not on the page: a person drew it, and took that back.';

-- +goose Down
ALTER TABLE comic_region DROP COLUMN absent, DROP COLUMN reading;
