-- The keys of API clients.

-- +goose Up
CREATE TABLE api_key (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    name         text NOT NULL CHECK (char_length(name) <= 200),
    prefix       text NOT NULL,
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    scope        text NOT NULL DEFAULT 'write' CHECK (scope IN ('read', 'write', 'admin')),
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz
);
CREATE INDEX api_key_by_tenant ON api_key (tenant, id);
COMMENT ON TABLE api_key IS 'Keys of API clients. A key is shown once, when it is created; only its digest is kept.';
COMMENT ON COLUMN api_key.id IS 'Number by which a key is revoked.';
COMMENT ON COLUMN api_key.tenant IS 'Tenant whose tasks the key reads and writes.';
COMMENT ON COLUMN api_key.name IS 'Name given by a person; may be empty.';
COMMENT ON COLUMN api_key.prefix IS 'First characters of the key, to recognize it by.';
COMMENT ON COLUMN api_key.hash IS 'SHA-256 of the key.';
COMMENT ON COLUMN api_key.scope IS 'What the key allows: read, write (which includes read), or admin (which includes write).';
COMMENT ON COLUMN api_key.created_at IS 'When the key was created.';
COMMENT ON COLUMN api_key.last_used_at IS 'When the key was last used, to the minute.';
COMMENT ON COLUMN api_key.expires_at IS 'When the key expires; expired keys are refused. NULL: never.';
COMMENT ON COLUMN api_key.revoked_at IS 'When the key was revoked; revoked keys are refused.';

-- +goose Down
DROP TABLE api_key;
