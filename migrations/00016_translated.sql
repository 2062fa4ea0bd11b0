-- Whoever listens hears of a page that has got its translations: the page after it may be waiting for them.

-- +goose Up
CREATE TRIGGER page_translated AFTER UPDATE ON page FOR EACH ROW
    WHEN (OLD.provider IS DISTINCT FROM NEW.provider)
    EXECUTE FUNCTION notify_progress();

-- +goose Down
DROP TRIGGER page_translated ON page;
