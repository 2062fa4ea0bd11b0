-- Files that clients upload ahead of the task that names them.

-- +goose Up
CREATE TABLE upload (
    tenant     text NOT NULL CHECK (tenant ~ '^[A-Za-z0-9_.-]{1,64}$'),
    blob       text NOT NULL,
    size       bigint NOT NULL CHECK (size >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant, blob)
);
CREATE INDEX upload_blob ON upload (blob);
CREATE INDEX upload_by_expiry ON upload (expires_at);
COMMENT ON TABLE upload IS 'Blobs that a tenant uploaded, and may name in a request until they expire. A task that names one keeps it by itself.';
COMMENT ON COLUMN upload.tenant IS 'Who uploaded it; nobody else may name it.';
COMMENT ON COLUMN upload.blob IS 'Name of the blob.';
COMMENT ON COLUMN upload.size IS 'Size in bytes.';
COMMENT ON COLUMN upload.created_at IS 'When it was uploaded first.';
COMMENT ON COLUMN upload.expires_at IS 'Until then it may be named in a request.';

-- +goose Down
DROP TABLE upload;
