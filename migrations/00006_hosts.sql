-- Worker processes, which operators list and drain.

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
    waiting          integer NOT NULL DEFAULT 0 CHECK (waiting >= 0),
    started_at       timestamptz NOT NULL DEFAULT now(),
    seen_at          timestamptz NOT NULL DEFAULT now(),
    drain_asked_at   timestamptz
);
CREATE INDEX host_name ON host (name);
COMMENT ON TABLE host IS 'Worker processes; each reports every few seconds. A process that stopped, or was not seen for a day, is deleted.';
COMMENT ON COLUMN host.instance IS 'Unique name of the process.';
COMMENT ON COLUMN host.name IS 'Name of the host in queues and records.';
COMMENT ON COLUMN host.roles IS 'Roles of the process, such as control, gpu, translate.';
COMMENT ON COLUMN host.queue IS 'Task queue of this process; null without a device.';
COMMENT ON COLUMN host.version IS 'Version of the program.';
COMMENT ON COLUMN host.device IS 'Device that the models run on, such as cuda:0; null without one.';
COMMENT ON COLUMN host.device_slots IS 'Items on the device at once.';
COMMENT ON COLUMN host.state IS 'ready, draining (takes no more work, finishes what it has), drained (has no work left, may be stopped) or stopped. A host that was not seen for 20 seconds is lost, whatever it last reported.';
COMMENT ON COLUMN host.contexts IS 'Leases that the process keeps in memory for later steps.';
COMMENT ON COLUMN host.context_capacity IS 'Largest number of leases that it keeps.';
COMMENT ON COLUMN host.context_bytes IS 'Memory of its leases, in bytes.';
COMMENT ON COLUMN host.waiting IS 'Steps that the process has taken and that wait for its device.';
COMMENT ON COLUMN host.started_at IS 'When the process started.';
COMMENT ON COLUMN host.seen_at IS 'When it last reported.';
COMMENT ON COLUMN host.drain_asked_at IS 'When an operator requested it to drain.';

-- +goose Down
DROP TABLE host;
