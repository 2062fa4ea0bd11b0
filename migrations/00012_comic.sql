-- What only comics know: pages, their regions, and edits of translations.

-- +goose Up
CREATE TABLE comic_page (
    task_id              text NOT NULL,
    item_index           integer NOT NULL,
    width                integer CHECK (width > 0),
    height               integer CHECK (height > 0),
    from_lang            text,
    region_count         integer CHECK (region_count >= 0),
    provider             text,
    model                text,
    output_changed       boolean,
    no_change_reason     text CHECK (no_change_reason IN ('no_text')),
    missing_characters   text,
    edited_at            timestamptz,
    edit_revision        integer NOT NULL DEFAULT 0,
    rendered_revision    integer NOT NULL DEFAULT 0,
    edit_failure_code    text,
    edit_failure_message text,
    PRIMARY KEY (task_id, item_index),
    FOREIGN KEY (task_id, item_index) REFERENCES item ON DELETE CASCADE,
    CHECK (rendered_revision BETWEEN 0 AND edit_revision)
);
CREATE INDEX comic_page_to_render ON comic_page (edited_at) WHERE rendered_revision < edit_revision;
-- Lists of tasks count fallbacks, which are few.
CREATE INDEX item_fallback ON item (task_id) WHERE mode = 'fallback_to_unified';
COMMENT ON TABLE comic_page IS 'Details of an item that is a page of a comic, from its first stage on.';
COMMENT ON COLUMN comic_page.task_id IS 'Id of the task.';
COMMENT ON COLUMN comic_page.item_index IS 'Position in the chapter, from 0.';
COMMENT ON COLUMN comic_page.width IS 'Width of the upright image in pixels.';
COMMENT ON COLUMN comic_page.height IS 'Height of the upright image in pixels.';
COMMENT ON COLUMN comic_page.from_lang IS 'Source language, as requested or as detected.';
COMMENT ON COLUMN comic_page.region_count IS 'Number of regions found.';
COMMENT ON COLUMN comic_page.provider IS 'Provider of the translations.';
COMMENT ON COLUMN comic_page.model IS 'Model of the translations.';
COMMENT ON COLUMN comic_page.output_changed IS 'False when the result is the original image.';
COMMENT ON COLUMN comic_page.no_change_reason IS 'Why the result is the original image: no_text.';
COMMENT ON COLUMN comic_page.missing_characters IS 'Characters of the translations that no font has, each once; the result has the texts without them.';
COMMENT ON COLUMN comic_page.edited_at IS 'When its translations were last edited.';
COMMENT ON COLUMN comic_page.edit_revision IS 'Number of edits of the page.';
COMMENT ON COLUMN comic_page.rendered_revision IS 'Edit that the result shows; below edit_revision while the page waits to be rendered again.';
COMMENT ON COLUMN comic_page.edit_failure_code IS 'Why the page could not be rendered with the last edit; the result shows an earlier one.';
COMMENT ON COLUMN comic_page.edit_failure_message IS 'One sentence about edit_failure_code, fit for a client.';
-- The page after this one may be waiting for its translations.
CREATE TRIGGER comic_page_found AFTER INSERT ON comic_page FOR EACH ROW EXECUTE FUNCTION notify_progress();
CREATE TRIGGER comic_page_progress AFTER UPDATE ON comic_page FOR EACH ROW
    WHEN (OLD.provider IS DISTINCT FROM NEW.provider OR OLD.edit_revision <> NEW.edit_revision
        OR OLD.rendered_revision <> NEW.rendered_revision OR OLD.edit_failure_code IS DISTINCT FROM NEW.edit_failure_code)
    EXECUTE FUNCTION notify_progress();
CREATE CONSTRAINT TRIGGER comic_page_event AFTER UPDATE ON comic_page DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.edit_revision <> NEW.edit_revision OR OLD.rendered_revision <> NEW.rendered_revision
        OR OLD.edit_failure_code IS NULL AND NEW.edit_failure_code IS NOT NULL)
    EXECUTE FUNCTION log_event('task.edited');

CREATE TABLE comic_region (
    task_id      text NOT NULL,
    item_index   integer NOT NULL,
    region_index integer NOT NULL CHECK (region_index >= 0),
    kind         text NOT NULL DEFAULT '',
    source       text NOT NULL,
    translation  text,
    longer       text,
    untranslated text CHECK (untranslated <> ''),
    overflow     boolean NOT NULL DEFAULT false,
    annotated    boolean NOT NULL DEFAULT false,
    source_lang  text NOT NULL DEFAULT '',
    target_lang  text NOT NULL DEFAULT '',
    x0           real NOT NULL,
    y0           real NOT NULL,
    x1           real NOT NULL,
    y1           real NOT NULL,
    lines        jsonb NOT NULL DEFAULT '[]',
    texts        text[] NOT NULL DEFAULT '{}',
    ruby         jsonb NOT NULL DEFAULT '[]',
    unread       boolean NOT NULL DEFAULT false,
    direction    text NOT NULL DEFAULT '',
    alignment    text NOT NULL DEFAULT '',
    angle        double precision NOT NULL DEFAULT 0,
    font_size    double precision NOT NULL DEFAULT 0,
    prob         double precision NOT NULL DEFAULT 0,
    style        jsonb NOT NULL DEFAULT '{}',
    override     jsonb NOT NULL DEFAULT '{}',
    reading      text CHECK (reading IN ('running', 'translating', 'done')),
    own          jsonb,
    place        double precision GENERATED ALWAYS AS (coalesce((override ->> 'place')::double precision, region_index + 1)) STORED,
    absent       boolean GENERATED ALWAYS AS
                 (override ? 'joined_into' OR reading IS NOT NULL AND override @> '{"deleted": true}') STORED,
    alternatives jsonb,
    provider     text,
    model        text,
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (task_id, item_index, region_index),
    FOREIGN KEY (task_id, item_index) REFERENCES item ON DELETE CASCADE
);
CREATE INDEX comic_region_to_translate ON comic_region (task_id, item_index) WHERE reading = 'translating';
CREATE INDEX comic_region_untranslated ON comic_region (task_id, item_index) WHERE untranslated IS NOT NULL;
COMMENT ON TABLE comic_region IS 'One block of text on a page: the text that was read and its translation.';
COMMENT ON COLUMN comic_region.task_id IS 'Id of the task.';
COMMENT ON COLUMN comic_region.item_index IS 'Index of the page.';
COMMENT ON COLUMN comic_region.region_index IS 'Position in reading order, from 0.';
COMMENT ON COLUMN comic_region.kind IS 'dialogue (in a bubble or caption), free (over art or paper), sfx (drawn sounds) or furniture (page numbers, credits).';
COMMENT ON COLUMN comic_region.source IS 'Text as read.';
COMMENT ON COLUMN comic_region.translation IS 'Text in the target language; null until translated, empty when left as drawn.';
COMMENT ON COLUMN comic_region.longer IS 'First translation, where translation is a shorter one requested because this one did not fit; later pages are told this one.';
COMMENT ON COLUMN comic_region.untranslated IS 'Why the region is left as drawn although a translation was requested repeatedly: missing, empty, double, merged, extra, same, wrong_script, prompt_echo, repetition, too_long or refused. Applies while translation is empty.';
COMMENT ON COLUMN comic_region.overflow IS 'True when the translation does not fit: the result shows it smaller than is legible, or beyond its area.';
COMMENT ON COLUMN comic_region.annotated IS 'True when the region stays as drawn and the result shows its translation beside it, because the region could not be erased cleanly.';
COMMENT ON COLUMN comic_region.source_lang IS 'Language of source.';
COMMENT ON COLUMN comic_region.target_lang IS 'Language of translation.';
COMMENT ON COLUMN comic_region.x0 IS 'Left edge of the upright box around the lines, in pixels.';
COMMENT ON COLUMN comic_region.y0 IS 'Upper edge, in pixels.';
COMMENT ON COLUMN comic_region.x1 IS 'Right edge, in pixels.';
COMMENT ON COLUMN comic_region.y1 IS 'Lower edge, in pixels.';
COMMENT ON COLUMN comic_region.lines IS 'Outlines of the lines: four [x, y] corners each, in reading order.';
COMMENT ON COLUMN comic_region.texts IS 'Texts of the lines, parallel to lines.';
COMMENT ON COLUMN comic_region.ruby IS 'Outlines of the furigana: small kana that give a reading. They are not part of texts.';
COMMENT ON COLUMN comic_region.unread IS 'True when no line was read with confidence: source is empty, and texts are guesses at most.';
COMMENT ON COLUMN comic_region.direction IS 'h or v.';
COMMENT ON COLUMN comic_region.alignment IS 'left, center or right.';
COMMENT ON COLUMN comic_region.angle IS 'Rotation in degrees, clockwise positive.';
COMMENT ON COLUMN comic_region.font_size IS 'Height of the text in pixels.';
COMMENT ON COLUMN comic_region.prob IS 'Mean confidence of the reading, 0..1.';
COMMENT ON COLUMN comic_region.style IS 'Colors, line spacing and stroke, as JSON.';
COMMENT ON COLUMN comic_region.override IS 'What a person chose instead of what was found, as JSON: kind, area, style, erased, deleted, place, joined_into, cut.';
COMMENT ON COLUMN comic_region.reading IS 'Of a region that a person drew: running until its text is read, translating while a model is asked for its translation, then done. Null for a region that was found.';
COMMENT ON COLUMN comic_region.own IS 'Text, lines, texts and ruby of a region as it was found or drawn, when a person has divided it or joined others into it; null otherwise.';
COMMENT ON COLUMN comic_region.place IS 'Place in reading order: that of region_index, counted from 1, unless a person has moved the region.';
COMMENT ON COLUMN comic_region.absent IS 'True for a region that is not on the page: another one has its text, or a person drew it and took that back.';
COMMENT ON COLUMN comic_region.alternatives IS 'Answer to the last request for other translations, as JSON: id of the request, source, texts, and failure. Null when nobody has asked.';
COMMENT ON COLUMN comic_region.provider IS 'Provider of the translation; edit when a person wrote it.';
COMMENT ON COLUMN comic_region.model IS 'Model of the translation.';
COMMENT ON COLUMN comic_region.updated_at IS 'When the region was last read or translated.';
CREATE CONSTRAINT TRIGGER comic_region_alternatives AFTER UPDATE ON comic_region DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.alternatives IS DISTINCT FROM NEW.alternatives) EXECUTE FUNCTION log_event('task.edited');

CREATE TABLE comic_edit (
    tenant       text NOT NULL,
    blob         text NOT NULL,
    to_lang      text NOT NULL,
    region_index integer NOT NULL CHECK (region_index >= 0),
    source       text NOT NULL,
    x0           real NOT NULL,
    y0           real NOT NULL,
    x1           real NOT NULL,
    y1           real NOT NULL,
    translation  text,
    override     jsonb NOT NULL DEFAULT '{}',
    author       text NOT NULL,
    edited_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, blob, to_lang, region_index)
);
COMMENT ON TABLE comic_edit IS 'What people chose for regions of an image: translations, and how they are lettered. Later tasks of the tenant on the same image use it, and request no translation of regions that have one here. They are deleted with the last task of the tenant that has the image.';
COMMENT ON COLUMN comic_edit.tenant IS 'Owner of the edited task.';
COMMENT ON COLUMN comic_edit.blob IS 'Original image of the page.';
COMMENT ON COLUMN comic_edit.to_lang IS 'Target language (BCP 47).';
COMMENT ON COLUMN comic_edit.region_index IS 'Position of the region in reading order, from 0.';
COMMENT ON COLUMN comic_edit.source IS 'Text of the region as read. A later reading matches its regions by this text or by their position.';
COMMENT ON COLUMN comic_edit.x0 IS 'Left edge of the region in pixels.';
COMMENT ON COLUMN comic_edit.y0 IS 'Upper edge of the region in pixels.';
COMMENT ON COLUMN comic_edit.x1 IS 'Right edge of the region in pixels.';
COMMENT ON COLUMN comic_edit.y1 IS 'Lower edge of the region in pixels.';
COMMENT ON COLUMN comic_edit.translation IS 'Text in the target language; empty leaves the region as drawn, and null leaves the translation open.';
COMMENT ON COLUMN comic_edit.override IS 'What was chosen instead of what was found, as in comic_region.override.';
COMMENT ON COLUMN comic_edit.author IS 'Name of the API key that sent the edit.';
COMMENT ON COLUMN comic_edit.edited_at IS 'When the translation was last changed.';

-- +goose Down
DROP TABLE comic_edit, comic_region;
DROP INDEX item_fallback;
DROP TABLE comic_page;
