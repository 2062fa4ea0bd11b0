-- Sessions: browsers that have signed in with a key, and links that sign in once.

-- +goose Up
CREATE TABLE session (
    digest     bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    key_id     bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX session_by_key ON session (key_id);
CREATE INDEX session_by_expiry ON session (expires_at);
COMMENT ON TABLE session IS 'Browsers that have signed in. A session allows what its key allows, for as long as the key is valid.';
COMMENT ON COLUMN session.digest IS 'SHA-256 of the secret in the cookie of the browser.';
COMMENT ON COLUMN session.key_id IS 'Key on whose behalf the browser acts.';
COMMENT ON COLUMN session.created_at IS 'When the browser signed in.';
COMMENT ON COLUMN session.expires_at IS 'When the session ends.';

CREATE TABLE sign_in_link (
    digest     bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    key_id     bigint NOT NULL REFERENCES api_key (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_link_by_key ON sign_in_link (key_id);
CREATE INDEX sign_in_link_by_expiry ON sign_in_link (expires_at);
COMMENT ON TABLE sign_in_link IS 'Links that sign a browser in once. Using a link deletes it.';
COMMENT ON COLUMN sign_in_link.digest IS 'SHA-256 of the secret in the link.';
COMMENT ON COLUMN sign_in_link.key_id IS 'Key on whose behalf the browser will act.';
COMMENT ON COLUMN sign_in_link.expires_at IS 'Until when the link can be used.';

-- +goose Down
DROP TABLE sign_in_link, session;
