package records_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

var rotation = records.IdempotentRequest{Tenant: tenant, Route: "/v1/rotate", Key: "a"}

// What a process leaves that was killed is carried out again, unless it took effect.
func TestARequestThatBrokeOff(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	first, recorded, err := f.ClaimRequest(ctx, rotation, time.Minute)
	require.NoError(t, err)
	require.Nil(t, recorded)
	_, _, err = f.ClaimRequest(ctx, rotation, time.Minute)
	recordstest.RequireCode(t, core.CodeConflict, err)

	f.SQL(`UPDATE idempotent_request SET claimed_until = now()`)
	second, _, err := f.ClaimRequest(ctx, rotation, time.Minute)
	require.NoError(t, err)
	_, _, err = f.CreateKey(records.WithClaim(ctx, first), records.NewKey{Tenant: tenant})
	recordstest.RequireCode(t, core.CodeConflict, err)
	require.Empty(t, f.Rows(`SELECT id FROM api_key`), "who has lost the claim makes nothing")
	require.NoError(t, f.RecordAnswer(ctx, first, records.Answer{Fingerprint: []byte("f"), Status: 201, Sealed: []byte("late")}))

	_, _, err = f.CreateKey(records.WithClaim(ctx, second), records.NewKey{Tenant: tenant})
	require.NoError(t, err)
	f.SQL(`UPDATE idempotent_request SET claimed_until = now()`)
	_, _, err = f.ClaimRequest(ctx, rotation, time.Minute)
	recordstest.RequireCode(t, core.CodeConflict, err)
	require.ErrorContains(t, err, "took effect")
	require.NoError(t, f.ReleaseRequest(ctx, second, false))
	_, _, err = f.ClaimRequest(ctx, rotation, time.Minute)
	require.ErrorContains(t, err, "took effect")

	require.NoError(t, f.RecordAnswer(ctx, second, records.Answer{Fingerprint: []byte("f"), Status: 201, Sealed: []byte("sealed")}))
	_, recorded, err = f.ClaimRequest(ctx, rotation, time.Minute)
	require.NoError(t, err)
	require.Equal(t, &records.Answer{Fingerprint: []byte("f"), Status: 201, Sealed: []byte("sealed")}, recorded)
}

func TestIdempotencyKeysAreBounded(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.SQL(fmt.Sprintf(`INSERT INTO idempotent_request (tenant, route, key, claim, claimed_until, expires_at)
		SELECT '%s', '/v1/rotate', n::text, gen_random_uuid(), now(), now() + n * interval '1 hour' FROM generate_series(1, %d) n`,
		tenant, records.MaxIdempotencyKeys))
	_, _, err := f.ClaimRequest(ctx, rotation, time.Minute)
	recordstest.RequireCode(t, core.CodeRateLimited, err)
	known := rotation
	known.Key = "7"
	_, _, err = f.ClaimRequest(ctx, known, time.Minute)
	require.NoError(t, err, "a known key takes no further room")
	other := rotation
	other.Tenant = "other"
	_, _, err = f.ClaimRequest(ctx, other, time.Minute)
	require.NoError(t, err)

	f.SQL(`UPDATE idempotent_request SET expires_at = expires_at - interval '3000 hours 30 minutes' WHERE tenant = $1`, tenant)
	for _, want := range []int{2000, 1000, 0} {
		n, err := f.RemoveRequests(ctx, 2000)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	_, _, err = f.ClaimRequest(ctx, rotation, time.Minute)
	require.NoError(t, err)
}
