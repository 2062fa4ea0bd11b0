-- What was charged a moment after the time that its task was accepted, in the next half second, is given back too.

-- +goose Up
-- settle_rate corrects what was charged at a moment that is still in the window, or soon after it. What was used counts even where it
-- exceeds the limit.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION settle_rate(of_tenant text, of_unit text, amount bigint, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
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

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION settle_rate(of_tenant text, of_unit text, amount bigint, moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    w  rate_window;
    at bigint := floor(extract(epoch FROM moment) * 2);
BEGIN
    SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
    IF NOT FOUND AND amount > 0 THEN
        INSERT INTO rate_window VALUES (of_tenant, of_unit, 0, array_fill(0::bigint, ARRAY[121])) ON CONFLICT DO NOTHING;
        SELECT * INTO w FROM rate_window r WHERE r.tenant = of_tenant AND r.unit = of_unit FOR UPDATE;
    END IF;
    IF w.slot IS NULL OR at < w.slot - 120 THEN
        RETURN;
    END IF;
    FOR passed IN 0 .. least(at - w.slot, 121) - 1 LOOP
        w.used[(at - passed) % 121 + 1] := 0;
    END LOOP;
    w.used[at % 121 + 1] := greatest(w.used[at % 121 + 1] + amount, 0);
    UPDATE rate_window r SET slot = greatest(w.slot, at), used = w.used WHERE r.tenant = of_tenant AND r.unit = of_unit;
END
$$;
-- +goose StatementEnd
COMMENT ON FUNCTION settle_rate(text, text, bigint, timestamptz) IS 'Adds an amount, which may be negative, to what the tenant used at a moment. A moment that has left the window changes nothing.';
