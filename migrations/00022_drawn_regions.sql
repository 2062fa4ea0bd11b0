-- Regions that people draw on a page, where the reading has missed some text, and regions that they divide, join and move.

-- +goose Up
ALTER TABLE comic_region
    ADD COLUMN reading text CHECK (reading IN ('running', 'translating', 'done')),
    ADD COLUMN own jsonb,
    ADD COLUMN place double precision GENERATED ALWAYS AS (coalesce((override ->> 'place')::double precision, region_index + 1)) STORED,
    ADD COLUMN absent boolean GENERATED ALWAYS AS
        (override ? 'joined_into' OR reading IS NOT NULL AND override @> '{"deleted": true}') STORED;
CREATE INDEX comic_region_to_translate ON comic_region (task_id, item_index) WHERE reading = 'translating';
COMMENT ON COLUMN comic_region.reading IS 'Of a region that a person drew: running until its text is read, translating while a model is asked for its translation, then done. Null for a region that was found.';
COMMENT ON COLUMN comic_region.own IS 'Text, lines, texts and ruby of a region as it was found or drawn, when a person has divided it or joined others into it; null otherwise.';
COMMENT ON COLUMN comic_region.place IS 'Place in reading order: that of region_index, counted from 1, unless a person has moved the region.';
COMMENT ON COLUMN comic_region.absent IS 'True for a region that is not on the page: another one has its text, or a person drew it and took that back.';
COMMENT ON COLUMN comic_region.override IS 'What a person chose instead of what was found, as JSON: kind, area, style, erased, deleted, place, joined_into, cut.';

-- +goose Down
ALTER TABLE comic_region DROP COLUMN absent, DROP COLUMN place, DROP COLUMN own, DROP COLUMN reading;
