-- Regions for which no fit translation was had.

-- +goose Up
ALTER TABLE region ADD COLUMN untranslated text CHECK (untranslated <> '');
CREATE INDEX region_untranslated ON region (task_id, page_index) WHERE untranslated IS NOT NULL;
COMMENT ON COLUMN region.untranslated IS 'Why the region is left as drawn although a translation was asked for, again and again: missing, empty, double, merged, extra, same, wrong_script, prompt_echo, repetition, too_long or refused. It counts while translation is empty.';

-- +goose Down
DROP INDEX region_untranslated;
ALTER TABLE region DROP COLUMN untranslated;
