-- What tenants call names and terms.

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
COMMENT ON TABLE glossary IS 'What names and terms are called in translations into a language, for all tasks of a tenant or for one.';
COMMENT ON COLUMN glossary.tenant IS 'Whose tasks it is for; never those of another.';
COMMENT ON COLUMN glossary.task_id IS 'The task that it is for; null for all of the tenant.';
COMMENT ON COLUMN glossary.to_lang IS 'Target language (BCP 47).';
COMMENT ON COLUMN glossary.entries IS 'The entries: source, target, case, part_of_speech, note, keep.';
COMMENT ON COLUMN glossary.updated_at IS 'When it was set last.';

-- +goose Down
DROP TABLE glossary;
