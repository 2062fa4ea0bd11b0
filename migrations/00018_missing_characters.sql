-- Characters that no font has.

-- +goose Up
ALTER TABLE page ADD COLUMN missing_characters text;
COMMENT ON COLUMN page.missing_characters IS 'Characters of the translations that no font has, each once: the result has the texts without them.';

-- +goose Down
ALTER TABLE page DROP COLUMN missing_characters;
