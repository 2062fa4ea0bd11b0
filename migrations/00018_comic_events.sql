-- Edits of pages in the log of events.

-- +goose Up
CREATE CONSTRAINT TRIGGER comic_page_event AFTER UPDATE ON comic_page DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.edit_revision <> NEW.edit_revision OR OLD.rendered_revision <> NEW.rendered_revision
        OR OLD.edit_failure_code IS NULL AND NEW.edit_failure_code IS NOT NULL)
    EXECUTE FUNCTION log_event('task.edited');

-- +goose Down
DROP TRIGGER comic_page_event ON comic_page;
