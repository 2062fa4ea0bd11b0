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

CREATE TABLE stored_file (
    blob   text NOT NULL,
    tenant text NOT NULL,
    size   bigint NOT NULL CHECK (size >= 0),
    PRIMARY KEY (blob, tenant)
);
CREATE INDEX stored_file_by_tenant ON stored_file (tenant) INCLUDE (size);
COMMENT ON TABLE stored_file IS 'Files that a tenant has sent and that its uploads or the tasks whose files are kept name: each once.';
COMMENT ON COLUMN stored_file.blob IS 'Name of the blob.';
COMMENT ON COLUMN stored_file.tenant IS 'Tenant that sent it.';
COMMENT ON COLUMN stored_file.size IS 'Size in bytes.';

-- Who stores a file locks its row, and so does who releases it. The second statement therefore sees every task that named the file first.
-- +goose StatementBegin
CREATE FUNCTION release_stored(blobs text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM stored_file f WHERE f.blob = ANY (blobs) ORDER BY f.blob, f.tenant FOR UPDATE;
    DELETE FROM stored_file f WHERE f.blob = ANY (blobs)
        AND NOT EXISTS (SELECT FROM item i JOIN task t ON t.id = i.task_id WHERE i.blob = f.blob AND t.tenant = f.tenant AND t.files_removed_at IS NULL)
        AND NOT EXISTS (SELECT FROM task_file i JOIN task t ON t.id = i.task_id WHERE i.blob = f.blob AND t.tenant = f.tenant AND t.files_removed_at IS NULL)
        AND NOT EXISTS (SELECT FROM upload u WHERE u.blob = f.blob AND u.tenant = f.tenant);
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION release_stored(text[]) IS 'Forgets the files, of those of these names, that nothing of their tenant names any more.';

-- +goose StatementBegin
CREATE FUNCTION admit_stored(of_tenant text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    at_most bigint;
BEGIN
    SELECT stored_bytes INTO at_most FROM tenant JOIN tier ON tier.name = tenant.tier WHERE tenant.name = of_tenant;
    IF at_most IS NULL THEN
        RETURN;
    END IF;
    PERFORM FROM tenant WHERE name = of_tenant FOR NO KEY UPDATE;
    IF (SELECT sum(size) FROM stored_file WHERE tenant = of_tenant) > at_most THEN
        RAISE EXCEPTION 'stored_bytes' USING ERRCODE = 'PL002', DETAIL = at_most::text, HINT = '0';
    END IF;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION admit_stored(text) IS 'Fails as admit_task does if the files that a tenant has stored, with those that are written already, go beyond the limit of its tier.';

-- +goose Down
DROP FUNCTION admit_stored(text), release_stored(text[]);
DROP TABLE stored_file, upload, blob_lease;
