-- Tenants, what their tiers allow, and the keys of API clients.

-- +goose Up
CREATE TABLE tier (
    name                text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_.-]{1,64}$'),
    priority            smallint NOT NULL DEFAULT 5 CHECK (priority BETWEEN 1 AND 10),
    weight              integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 1000),
    requests_per_minute bigint CHECK (requests_per_minute BETWEEN 1 AND 1000000000000000),
    tokens_per_minute   bigint CHECK (tokens_per_minute BETWEEN 1 AND 1000000000000000),
    running_tasks       bigint CHECK (running_tasks BETWEEN 1 AND 1000000000000000),
    waiting_tasks       bigint CHECK (waiting_tasks BETWEEN 1 AND 1000000000000000),
    stored_bytes        bigint CHECK (stored_bytes BETWEEN 1 AND 1000000000000000),
    upload_bytes        bigint CHECK (upload_bytes BETWEEN 1 AND 1000000000000000),
    created_at          timestamptz NOT NULL DEFAULT now(),
    updated_at          timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE tier IS 'What the tenants of a tier may use, and their share of the workers. A limit that is NULL does not apply.';
COMMENT ON COLUMN tier.name IS 'Name of the tier.';
COMMENT ON COLUMN tier.priority IS 'From 1 (served first) to 10. Work of the priorities 1 and 2 starts before all work of 3 and 4, and so on. Within such a pair, a tenant of the second priority has a quarter of the turns.';
COMMENT ON COLUMN tier.weight IS 'Share of each tenant among the tenants of one priority, from 1 to 1000.';
COMMENT ON COLUMN tier.requests_per_minute IS 'Requests of a tenant within any 60 seconds.';
COMMENT ON COLUMN tier.tokens_per_minute IS 'Tokens of language models for a tenant within any 60 seconds: estimated when a task is accepted, then as used.';
COMMENT ON COLUMN tier.running_tasks IS 'Tasks of a tenant that run at once. Further ones wait in the queue.';
COMMENT ON COLUMN tier.waiting_tasks IS 'Tasks of a tenant in the queue. Further ones are refused.';
COMMENT ON COLUMN tier.stored_bytes IS 'Bytes of the files that a tenant has sent and that are kept; each file counts once. Results do not count.';
COMMENT ON COLUMN tier.upload_bytes IS 'Bytes of one request of a tenant.';
COMMENT ON COLUMN tier.created_at IS 'When the tier was created.';
COMMENT ON COLUMN tier.updated_at IS 'When the tier was last changed.';
INSERT INTO tier (name) VALUES ('standard');

CREATE TABLE tenant (
    name        text PRIMARY KEY CHECK (name ~ '^[A-Za-z0-9_.-]{1,64}$'),
    tier        text NOT NULL DEFAULT 'standard' REFERENCES tier,
    created_at  timestamptz NOT NULL DEFAULT now(),
    disabled_at timestamptz
);
CREATE INDEX tenant_by_tier ON tenant (tier);
COMMENT ON TABLE tenant IS 'Owners of keys and tasks. A tenant is created with its first key, in the tier standard.';
COMMENT ON COLUMN tenant.name IS 'Name of the tenant.';
COMMENT ON COLUMN tenant.tier IS 'Tier that sets its limits.';
COMMENT ON COLUMN tenant.created_at IS 'When the tenant was created.';
COMMENT ON COLUMN tenant.disabled_at IS 'When an operator disabled the tenant; its keys are refused. Its tasks continue.';

-- Tiers have ten priorities, and Temporal has five priority keys. This view says how one becomes the other, in one place for the steps that
-- Temporal serves and for the positions that clients are told.
CREATE VIEW tenant_share AS
SELECT tenant.name AS tenant,
       (tier.priority + 1) / 2 AS priority_key,
       CASE WHEN tier.priority % 2 = 1 THEN tier.weight ELSE tier.weight / 4.0 END::double precision AS fairness_weight,
       tier.running_tasks
FROM tenant JOIN tier ON tier.name = tenant.tier;
COMMENT ON VIEW tenant_share IS 'How the steps of a tenant are served among those of others, as its tier says.';
COMMENT ON COLUMN tenant_share.tenant IS 'Name of the tenant.';
COMMENT ON COLUMN tenant_share.priority_key IS 'Priority in Temporal, from 1 (served first) to 5: half the priority of the tier, rounded up.';
COMMENT ON COLUMN tenant_share.fairness_weight IS 'Share among the tenants of the same priority_key: the weight of the tier, and a quarter of it for a tier of an even priority.';
COMMENT ON COLUMN tenant_share.running_tasks IS 'Tasks of the tenant that run at once; NULL without a limit.';

CREATE FUNCTION tasks_before(rank bigint, priority_key integer, fairness_weight double precision,
    their_tasks bigint, their_priority_key integer, their_fairness_weight double precision) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN their_priority_key < priority_key THEN their_tasks
    WHEN their_priority_key > priority_key THEN 0
    ELSE least(their_tasks, floor((rank - 1) * their_fairness_weight / fairness_weight)::bigint)
END;
COMMENT ON FUNCTION tasks_before(bigint, integer, double precision, bigint, integer, double precision) IS 'How many of the waiting tasks of another tenant come before the task that is number rank, from 1, of its tenant: all of them with a better priority, and otherwise the turns that the weights give.';

CREATE TABLE api_key (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant       text NOT NULL REFERENCES tenant,
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

-- A row is changed at each admitted request: free space in its page lets Postgres replace versions without touching the index.
CREATE TABLE rate_window (
    tenant text NOT NULL REFERENCES tenant ON DELETE CASCADE,
    unit   text NOT NULL CHECK (unit IN ('requests', 'tokens')),
    slot   bigint NOT NULL,
    used   bigint[] NOT NULL CHECK (cardinality(used) = 121),
    PRIMARY KEY (tenant, unit)
) WITH (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE rate_window IS 'What each tenant used in the last minute, in slots of half a second, where its tier limits it.';
COMMENT ON COLUMN rate_window.tenant IS 'Name of the tenant.';
COMMENT ON COLUMN rate_window.unit IS 'requests or tokens.';
COMMENT ON COLUMN rate_window.slot IS 'Latest slot with an entry: half seconds since 1970.';
COMMENT ON COLUMN rate_window.used IS 'Units by slot. Slot s is at the index s % 121 + 1, so that the array holds the slot of slot and the 120 before it.';

-- charge_rate admits an amount if the window of the tenant has room for it, under a lock of its row. Without a limit nothing is read, and
-- an amount of 0 reads without a lock. moment is the time to assume, for tests; NULL is the time at which the lock is held.
-- +goose StatementBegin
CREATE FUNCTION charge_rate(of_tenant text, of_unit text, amount bigint, at_most bigint, moment timestamptz DEFAULT NULL,
    OUT allowed boolean, OUT total bigint, OUT wait_seconds double precision, OUT reset_seconds double precision) LANGUAGE plpgsql AS $$
DECLARE
    w       rate_window;
    seconds double precision;
    now_at  bigint;
    rest    bigint;
    s       bigint;
BEGIN
    IF at_most IS NULL THEN
        RETURN;
    END IF;
    IF amount = 0 THEN
        SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit;
    ELSE
        SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
        IF NOT FOUND THEN
            INSERT INTO rate_window VALUES (of_tenant, of_unit, 0, array_fill(0::bigint, ARRAY[121])) ON CONFLICT DO NOTHING;
            SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
        END IF;
    END IF;
    w.used := coalesce(w.used, array_fill(0::bigint, ARRAY[121]));
    w.slot := coalesce(w.slot, 0);
    seconds := extract(epoch FROM coalesce(moment, clock_timestamp()));
    now_at := greatest(floor(seconds * 2)::bigint, w.slot);
    seconds := greatest(seconds, now_at / 2.0);
    FOR passed IN 0 .. least(now_at - w.slot, 121) - 1 LOOP
        w.used[(now_at - passed) % 121 + 1] := 0;
    END LOOP;
    total := (SELECT sum(u) FROM unnest(w.used) u);
    allowed := total + amount <= at_most;
    wait_seconds := 0;
    reset_seconds := 0;
    IF allowed AND amount > 0 THEN
        w.used[now_at % 121 + 1] := w.used[now_at % 121 + 1] + amount;
        total := total + amount;
        UPDATE rate_window r SET slot = now_at, used = w.used WHERE r.tenant = of_tenant AND r.unit = of_unit;
    END IF;
    rest := total;
    FOR ahead IN 0 .. 120 LOOP
        EXIT WHEN rest = 0;
        s := now_at - 120 + ahead;
        CONTINUE WHEN w.used[s % 121 + 1] = 0;
        rest := rest - w.used[s % 121 + 1];
        reset_seconds := (s + 121) / 2.0 - seconds;
        IF NOT allowed AND wait_seconds = 0 AND rest + amount <= at_most THEN
            wait_seconds := reset_seconds;
        END IF;
    END LOOP;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION charge_rate(text, text, bigint, bigint, timestamptz) IS 'Admits an amount if the tenant has used at most at_most - amount in the last 60 to 60.5 seconds, and returns what it used then, the seconds until the amount would be admitted, and the seconds until nothing is in use. All are NULL without a limit.';

-- settle_rate corrects what was charged at a moment that is still in the window, or soon after it. What was used counts even where it
-- exceeds the limit.
-- +goose StatementBegin
CREATE FUNCTION settle_rate(of_tenant text, of_unit text, amount bigint, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    w       rate_window;
    at      bigint := floor(extract(epoch FROM moment) * 2);
    rest    bigint := -amount;
    taken   bigint;
BEGIN
    SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
    IF NOT FOUND AND amount > 0 THEN
        INSERT INTO rate_window VALUES (of_tenant, of_unit, 0, array_fill(0::bigint, ARRAY[121])) ON CONFLICT DO NOTHING;
        SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
    END IF;
    IF w.slot IS NULL OR at < w.slot - 120 THEN
        RETURN;
    END IF;
    IF amount < 0 THEN
        -- A charge waits for the lock of the window, so that its slot may be a later one.
        FOR passed IN 0 .. w.slot - at LOOP
            taken := least(w.used[(at + passed) % 121 + 1], rest);
            w.used[(at + passed) % 121 + 1] := w.used[(at + passed) % 121 + 1] - taken;
            rest := rest - taken;
        END LOOP;
        UPDATE rate_window r SET used = w.used WHERE r.tenant = of_tenant AND r.unit = of_unit;
        RETURN;
    END IF;
    FOR passed IN 0 .. least(at - w.slot, 121) - 1 LOOP
        w.used[(at - passed) % 121 + 1] := 0;
    END LOOP;
    w.used[at % 121 + 1] := w.used[at % 121 + 1] + amount;
    UPDATE rate_window r SET slot = greatest(w.slot, at), used = w.used WHERE r.tenant = of_tenant AND r.unit = of_unit;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION settle_rate(text, text, bigint, timestamptz) IS 'Adds an amount to what the tenant used at a moment, or takes a negative one from what it used at that moment and after it. A moment that has left the window changes nothing.';

CREATE TABLE audit_log (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT now(),
    actor   text NOT NULL,
    address text,
    action  text NOT NULL,
    object  text NOT NULL,
    changes jsonb NOT NULL
);
COMMENT ON TABLE audit_log IS 'Changes of tenants, tiers and keys. Triggers write it, so that it has changes by SQL too.';
COMMENT ON COLUMN audit_log.id IS 'Number of the entry.';
COMMENT ON COLUMN audit_log.at IS 'When the change was made.';
COMMENT ON COLUMN audit_log.actor IS 'Who made it: a key, a person at a terminal, or a role of the database.';
COMMENT ON COLUMN audit_log.address IS 'Network address of the client, for changes through the API.';
COMMENT ON COLUMN audit_log.action IS 'tenant, tier or api_key, and create, change or delete, such as tier.change.';
COMMENT ON COLUMN audit_log.object IS 'Name of the tenant or tier, or tenant and number of the key.';
COMMENT ON COLUMN audit_log.changes IS 'New values of the columns that changed; of a deleted row, its last values. Hashes of keys are left out.';

-- +goose StatementBegin
CREATE FUNCTION log_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was     jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
    is_now  jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
    state   jsonb := CASE WHEN TG_OP = 'DELETE' THEN was ELSE is_now END;
    changed jsonb;
BEGIN
    SELECT jsonb_object_agg(key, value) INTO changed FROM jsonb_each(state)
    WHERE coalesce(was -> key, 'null') <> coalesce(is_now -> key, 'null') AND key NOT IN ('hash', 'last_used_at', 'updated_at');
    IF changed IS NOT NULL THEN
        INSERT INTO audit_log (actor, address, action, object, changes) VALUES (
            coalesce(nullif(current_setting('plait.actor', true), ''), 'database role ' || session_user),
            nullif(current_setting('plait.address', true), ''),
            TG_TABLE_NAME || CASE TG_OP WHEN 'INSERT' THEN '.create' WHEN 'UPDATE' THEN '.change' ELSE '.delete' END,
            CASE WHEN TG_TABLE_NAME = 'api_key' THEN (state ->> 'tenant') || '/' || (state ->> 'id') ELSE state ->> 'name' END,
            changed);
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION log_change() IS 'Appends a change of a tenant, a tier or a key to audit_log. The settings plait.actor and plait.address of the transaction say who makes it.';
CREATE TRIGGER tier_audit AFTER INSERT OR UPDATE OR DELETE ON tier FOR EACH ROW EXECUTE FUNCTION log_change();
CREATE TRIGGER tenant_audit AFTER INSERT OR UPDATE OR DELETE ON tenant FOR EACH ROW EXECUTE FUNCTION log_change();
CREATE TRIGGER api_key_audit AFTER INSERT OR DELETE OR UPDATE OF tenant, name, scope, hash, expires_at, revoked_at ON api_key
    FOR EACH ROW EXECUTE FUNCTION log_change();

-- +goose Down
DROP FUNCTION charge_rate(text, text, bigint, bigint, timestamptz), settle_rate(text, text, bigint, timestamptz);
DROP FUNCTION tasks_before(bigint, integer, double precision, bigint, integer, double precision);
DROP VIEW tenant_share;
DROP TABLE audit_log, rate_window, api_key, tenant, tier;
DROP FUNCTION log_change();
