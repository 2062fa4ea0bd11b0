-- What translators are told besides the texts, for every kind that translates.

-- +goose Up
CREATE TABLE glossary (
    tenant     text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    task_id    text REFERENCES task ON DELETE CASCADE,
    to_lang    text NOT NULL,
    entries    jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (tenant, task_id, to_lang)
);
CREATE INDEX glossary_task ON glossary (task_id) WHERE task_id IS NOT NULL;
COMMENT ON TABLE glossary IS 'Translations of names and terms into a language, for all tasks of a tenant or for one.';
COMMENT ON COLUMN glossary.tenant IS 'Tenant that owns it; no other tenant uses it.';
COMMENT ON COLUMN glossary.task_id IS 'Task that it applies to; null for all tasks of the tenant.';
COMMENT ON COLUMN glossary.to_lang IS 'Target language (BCP 47).';
COMMENT ON COLUMN glossary.entries IS 'The entries: source, target, case, part_of_speech, note, keep.';
COMMENT ON COLUMN glossary.updated_at IS 'When it was last set.';

CREATE TABLE synopsis (
    task_id  text PRIMARY KEY REFERENCES task ON DELETE CASCADE,
    synopsis text NOT NULL CHECK (char_length(synopsis) BETWEEN 1 AND 2000)
);
COMMENT ON TABLE synopsis IS 'What a task is about, as the client described it. A model receives it with every item of this task.';
COMMENT ON COLUMN synopsis.task_id IS 'Id of the task.';
COMMENT ON COLUMN synopsis.synopsis IS 'The description.';

-- +goose Down
DROP TABLE synopsis, glossary;
