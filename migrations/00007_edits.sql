-- What people change of the translations, and pages that are rendered again for it.

-- +goose Up
CREATE TABLE edit (
    tenant       text NOT NULL,
    blob         text NOT NULL,
    to_lang      text NOT NULL,
    region_index integer NOT NULL CHECK (region_index >= 0),
    source       text NOT NULL,
    x0           real NOT NULL,
    y0           real NOT NULL,
    x1           real NOT NULL,
    y1           real NOT NULL,
    translation  text NOT NULL,
    author       text NOT NULL,
    edited_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, blob, to_lang, region_index)
);
COMMENT ON TABLE edit IS 'Translations that people decided on, of a region of an image. A later task of the tenant on the same image takes them and asks no model for these regions. They go with the last task of the tenant that has the image.';
COMMENT ON COLUMN edit.tenant IS 'Owner of the task that was edited.';
COMMENT ON COLUMN edit.blob IS 'The image of the page as it came.';
COMMENT ON COLUMN edit.to_lang IS 'Target language (BCP 47).';
COMMENT ON COLUMN edit.region_index IS 'Place of the region in reading order, from 0.';
COMMENT ON COLUMN edit.source IS 'What the region was read as. A later reading finds its region by this text, or by its place.';
COMMENT ON COLUMN edit.x0 IS 'Left edge of the region in pixels.';
COMMENT ON COLUMN edit.y0 IS 'Upper edge of the region in pixels.';
COMMENT ON COLUMN edit.x1 IS 'Right edge of the region in pixels.';
COMMENT ON COLUMN edit.y1 IS 'Lower edge of the region in pixels.';
COMMENT ON COLUMN edit.translation IS 'The text in the target language; empty leaves the region as it is drawn.';
COMMENT ON COLUMN edit.author IS 'Name of the API key that the edit came with.';
COMMENT ON COLUMN edit.edited_at IS 'When the translation became this one.';

ALTER TABLE page
    ADD COLUMN edited_at timestamptz,
    ADD COLUMN edit_revision integer NOT NULL DEFAULT 0,
    ADD COLUMN rendered_revision integer NOT NULL DEFAULT 0,
    ADD COLUMN edit_failure_code text,
    ADD COLUMN edit_failure_message text,
    ADD CHECK (rendered_revision BETWEEN 0 AND edit_revision);
CREATE INDEX page_to_render ON page (edited_at) WHERE rendered_revision < edit_revision;
COMMENT ON COLUMN page.edited_at IS 'When its translations were last edited.';
COMMENT ON COLUMN page.edit_revision IS 'Number of edits of the page.';
COMMENT ON COLUMN page.rendered_revision IS 'The edit that the result shows; below edit_revision while the page is to be rendered again.';
COMMENT ON COLUMN page.edit_failure_code IS 'Why the page could not be rendered with the last edit; the result is that of an earlier one.';
COMMENT ON COLUMN page.edit_failure_message IS 'One sentence about edit_failure_code, fit for a client.';
CREATE TRIGGER page_edited AFTER UPDATE ON page FOR EACH ROW
    WHEN (OLD.edit_revision <> NEW.edit_revision OR OLD.rendered_revision <> NEW.rendered_revision
        OR OLD.edit_failure_code IS DISTINCT FROM NEW.edit_failure_code)
    EXECUTE FUNCTION notify_progress();

-- +goose Down
DROP TRIGGER page_edited ON page;
ALTER TABLE page
    DROP COLUMN edited_at, DROP COLUMN edit_revision, DROP COLUMN rendered_revision,
    DROP COLUMN edit_failure_code, DROP COLUMN edit_failure_message;
DROP TABLE edit;
