-- What waits on a host, besides its queue.

-- +goose Up
ALTER TABLE host ADD COLUMN waiting integer NOT NULL DEFAULT 0 CHECK (waiting >= 0);
COMMENT ON COLUMN host.waiting IS 'Steps that it has taken, and that wait for its device.';

-- +goose Down
ALTER TABLE host DROP COLUMN waiting;
