-- Ten priorities of tiers, on the five priority keys of Temporal. The view tenant_share says how, in one place for the steps that Temporal
-- serves and for the positions that clients are told.

-- +goose Up
ALTER TABLE tier DROP CONSTRAINT tier_priority_check;
UPDATE tier SET priority = 2 * priority - 1;
ALTER TABLE tier ALTER COLUMN priority SET DEFAULT 5, ADD CONSTRAINT tier_priority_check CHECK (priority BETWEEN 1 AND 10);
COMMENT ON COLUMN tier.priority IS 'From 1 (served first) to 10. Work of the priorities 1 and 2 starts before all work of 3 and 4, and so on. Within such a pair, a tenant of the second priority has a quarter of the turns.';

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

DROP FUNCTION dispatch_task(text);
-- +goose StatementBegin
CREATE FUNCTION dispatch_task(of_task text, OUT dispatched boolean, OUT priority_key integer, OUT fairness_weight double precision) LANGUAGE plpgsql AS $$
DECLARE
    of_tenant text;
    at_most   bigint;
    running   bigint;
BEGIN
    SELECT share.tenant, share.priority_key, share.fairness_weight, CASE WHEN dispatched_at IS NULL AND status = 'queued' THEN running_tasks END
    INTO of_tenant, priority_key, fairness_weight, at_most
    FROM task JOIN tenant_share share USING (tenant) WHERE id = of_task;
    dispatched := true;
    IF at_most IS NULL THEN
        RETURN;
    END IF;
    PERFORM FROM tenant WHERE name = of_tenant FOR NO KEY UPDATE;
    SELECT count(*) INTO running FROM (SELECT FROM task WHERE tenant = of_tenant AND dispatched_at IS NOT NULL AND ended_at IS NULL AND id <> of_task LIMIT at_most) t;
    IF running >= at_most THEN
        dispatched := false;
        RETURN;
    END IF;
    UPDATE task SET dispatched_at = coalesce(dispatched_at, now()) WHERE id = of_task;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION dispatch_task(text) IS 'Gives a queued task one of the places that running_tasks of its tenant''s tier allows, and returns whether it has one, with its tenant_share. A place is free when its task has ended. Without a limit every task has one.';

-- +goose Down
DROP FUNCTION dispatch_task(text), tasks_before(bigint, integer, double precision, bigint, integer, double precision);
-- +goose StatementBegin
CREATE FUNCTION dispatch_task(of_task text, OUT dispatched boolean, OUT priority integer, OUT weight integer) LANGUAGE plpgsql AS $$
DECLARE
    of_tenant text;
    at_most   bigint;
    running   bigint;
BEGIN
    SELECT tenant.name, tier.priority, tier.weight, CASE WHEN dispatched_at IS NULL AND status = 'queued' THEN running_tasks END
    INTO of_tenant, priority, weight, at_most
    FROM task JOIN tenant ON tenant.name = task.tenant JOIN tier ON tier.name = tenant.tier WHERE id = of_task;
    dispatched := true;
    IF at_most IS NULL THEN
        RETURN;
    END IF;
    PERFORM FROM tenant WHERE name = of_tenant FOR NO KEY UPDATE;
    SELECT count(*) INTO running FROM (SELECT FROM task WHERE tenant = of_tenant AND dispatched_at IS NOT NULL AND ended_at IS NULL AND id <> of_task LIMIT at_most) t;
    IF running >= at_most THEN
        dispatched := false;
        RETURN;
    END IF;
    UPDATE task SET dispatched_at = coalesce(dispatched_at, now()) WHERE id = of_task;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION dispatch_task(text) IS 'Gives a queued task one of the places that running_tasks of its tenant''s tier allows, and returns whether it has one, with the priority and weight of the tier. A place is free when its task has ended. Without a limit every task has one.';
DROP VIEW tenant_share;
ALTER TABLE tier DROP CONSTRAINT tier_priority_check;
UPDATE tier SET priority = (priority + 1) / 2;
ALTER TABLE tier ALTER COLUMN priority SET DEFAULT 3, ADD CONSTRAINT tier_priority_check CHECK (priority BETWEEN 1 AND 5);
COMMENT ON COLUMN tier.priority IS 'From 1 (served first) to 5. Work of a tier starts before all work of tiers with a higher number.';
