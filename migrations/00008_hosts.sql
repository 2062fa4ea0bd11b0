-- The worker processes: what operators list and drain.

-- +goose Up
CREATE TABLE host (
    instance         text PRIMARY KEY CHECK (instance <> ''),
    name             text NOT NULL CHECK (name <> ''),
    roles            text[] NOT NULL CHECK (cardinality(roles) > 0),
    queue            text CHECK (queue <> ''),
    version          text NOT NULL,
    device           text CHECK (device <> ''),
    device_slots     integer NOT NULL CHECK (device_slots >= 0),
    state            text NOT NULL CHECK (state IN ('ready', 'draining', 'drained', 'stopped')),
    contexts         integer NOT NULL CHECK (contexts >= 0),
    context_capacity integer NOT NULL CHECK (context_capacity >= 0),
    context_bytes    bigint NOT NULL CHECK (context_bytes >= 0),
    started_at       timestamptz NOT NULL DEFAULT now(),
    seen_at          timestamptz NOT NULL DEFAULT now(),
    drain_asked_at   timestamptz
);
CREATE INDEX host_name ON host (name);

COMMENT ON TABLE host IS 'Worker processes, each telling of itself every few seconds. One that stopped, or was not seen for a day, is deleted.';
COMMENT ON COLUMN host.instance IS 'Name of the process, apart from every other of its host.';
COMMENT ON COLUMN host.name IS 'Name of the host in queues and records.';
COMMENT ON COLUMN host.roles IS 'control, gpu, translate.';
COMMENT ON COLUMN host.queue IS 'Task queue of this very process; null without role gpu.';
COMMENT ON COLUMN host.version IS 'Version of the program.';
COMMENT ON COLUMN host.device IS 'What the models run on, such as cuda:0; null without role gpu.';
COMMENT ON COLUMN host.device_slots IS 'Pages on the device at once.';
COMMENT ON COLUMN host.state IS 'ready, draining (takes no more, ends what it has), drained (has nothing left, may be stopped) or stopped. A host that was not seen for 20 seconds is lost, whatever it last said.';
COMMENT ON COLUMN host.contexts IS 'Detect contexts that the process keeps.';
COMMENT ON COLUMN host.context_capacity IS 'Detect contexts that it keeps at most.';
COMMENT ON COLUMN host.context_bytes IS 'Memory of its detect contexts.';
COMMENT ON COLUMN host.started_at IS 'When the process began to work.';
COMMENT ON COLUMN host.seen_at IS 'When it last told of itself.';
COMMENT ON COLUMN host.drain_asked_at IS 'When an operator asked it to drain.';

-- +goose Down
DROP TABLE host;
