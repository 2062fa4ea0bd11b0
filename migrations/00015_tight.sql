-- Texts that do not fit where they are lettered.

-- +goose Up
ALTER TABLE region ADD COLUMN longer text, ADD COLUMN tight boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN region.longer IS 'What the translator said first, where translation is the shorter text that it was asked for because this did not fit; later pages are told this.';
COMMENT ON COLUMN region.tight IS 'The result shows the translation smaller than is legible, or beyond its place: it does not fit.';

-- +goose Down
ALTER TABLE region DROP COLUMN longer, DROP COLUMN tight;
