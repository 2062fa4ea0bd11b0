-- Blobs that no task names yet, or that none names any more.

-- +goose Up
CREATE TABLE blob_lease (
    blob       text PRIMARY KEY,
    holder     text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX blob_lease_by_expiry ON blob_lease (expires_at, blob);
COMMENT ON TABLE blob_lease IS 'Blobs that may be named by no row: stored by a request or step that has not named them yet, or left by a deleted task. The sweeper removes expired ones that no row names.';
COMMENT ON COLUMN blob_lease.blob IS 'Name of the blob.';
COMMENT ON COLUMN blob_lease.holder IS 'Task that it was stored for; empty when there are several.';
COMMENT ON COLUMN blob_lease.expires_at IS 'Until then the blob is kept, named or not.';

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
COMMENT ON TABLE upload IS 'Blobs that a tenant uploaded and may name in a request until they expire. A task that names one keeps it independently.';
COMMENT ON COLUMN upload.tenant IS 'Tenant that uploaded it; no other tenant may name it.';
COMMENT ON COLUMN upload.blob IS 'Name of the blob.';
COMMENT ON COLUMN upload.size IS 'Size in bytes.';
COMMENT ON COLUMN upload.created_at IS 'When it was first uploaded.';
COMMENT ON COLUMN upload.expires_at IS 'Until then it may be named in a request.';

-- +goose Down
DROP TABLE upload, blob_lease;
