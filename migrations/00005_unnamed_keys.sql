-- A key needs no name.

-- +goose Up
ALTER TABLE api_key DROP CONSTRAINT api_key_name_check;
ALTER TABLE api_key ADD CONSTRAINT api_key_name_check CHECK (char_length(name) <= 200);

-- +goose Down
UPDATE api_key SET name = prefix WHERE name = '';
ALTER TABLE api_key DROP CONSTRAINT api_key_name_check;
ALTER TABLE api_key ADD CONSTRAINT api_key_name_check CHECK (char_length(name) BETWEEN 1 AND 200);
