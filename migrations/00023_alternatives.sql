-- Other translations of a region, which a person asked a model for.

-- +goose Up
ALTER TABLE comic_region ADD COLUMN alternatives jsonb;
COMMENT ON COLUMN comic_region.alternatives IS 'Answer to the last request for other translations, as JSON: id of the request, source, texts, and failure. Null when nobody has asked.';
CREATE CONSTRAINT TRIGGER comic_region_alternatives AFTER UPDATE ON comic_region DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.alternatives IS DISTINCT FROM NEW.alternatives) EXECUTE FUNCTION log_event('task.edited');

-- +goose Down
DROP TRIGGER comic_region_alternatives ON comic_region;
ALTER TABLE comic_region DROP COLUMN alternatives;
