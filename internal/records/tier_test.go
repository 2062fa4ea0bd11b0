package records_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/quota"
	"plait/internal/records"
	"plait/internal/records/recordstest"
)

func limit(n int64) *int64 { return &n }

func TestTiersAreSetListedAndDeleted(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	standard, err := f.Tier(ctx, records.DefaultTier)
	require.NoError(t, err)
	require.Equal(t, []any{5, 1, quota.Limits{}}, []any{standard.Priority, standard.Weight, standard.Limits})

	gold := records.NewTier("gold")
	gold.Priority, gold.Weight, gold.Limits = 1, 10, quota.Limits{RequestsPerMinute: limit(600), UploadBytes: limit(1 << 20)}
	for _, most := range []*int64{limit(5), nil} {
		gold.RunningTasks = most
		set, err := f.SetTier(ctx, gold)
		require.NoError(t, err)
		read, err := f.Tier(ctx, "gold")
		require.NoError(t, err)
		require.Equal(t, set, read)
		require.Equal(t, []any{1, 10, gold.Limits}, []any{read.Priority, read.Weight, read.Limits})
	}
	list, err := f.ListTiers(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"gold", "standard"}, []string{list[0].Name, list[1].Name})

	_, err = f.SetTenant(ctx, tenant, records.TenantChange{Tier: &gold.Name})
	require.NoError(t, err)
	recordstest.RequireCode(t, core.CodeConflict, f.DeleteTier(ctx, "gold"))
	_, err = f.SetTenant(ctx, tenant, records.TenantChange{Tier: &standard.Name})
	require.NoError(t, err)
	require.NoError(t, f.DeleteTier(ctx, "gold"))
	recordstest.RequireCode(t, core.CodeNotFound, f.DeleteTier(ctx, "gold"))
	recordstest.RequireCode(t, core.CodeConflict, f.DeleteTier(ctx, records.DefaultTier))
	_, err = f.Tier(ctx, "gold")
	recordstest.RequireCode(t, core.CodeNotFound, err)
}

func TestTiersOutOfRangeAreRefusedByName(t *testing.T) {
	f := open(t)
	for says, change := range map[string]func(*records.Tier){
		"tier is missing":                  func(t *records.Tier) { t.Name = "" },
		"64 characters":                    func(t *records.Tier) { t.Name = strings.Repeat("a", 65) },
		`"a tier"`:                         func(t *records.Tier) { t.Name = "a tier" },
		"priority is 0":                    func(t *records.Tier) { t.Priority = 0 },
		"priority is 11":                   func(t *records.Tier) { t.Priority = 11 },
		"weight is 0":                      func(t *records.Tier) { t.Weight = 0 },
		"weight is 1001":                   func(t *records.Tier) { t.Weight = 1001 },
		"requests_per_minute is 0":         func(t *records.Tier) { t.RequestsPerMinute = limit(0) },
		"tokens_per_minute is -1":          func(t *records.Tier) { t.TokensPerMinute = limit(-1) },
		"running_tasks is 0":               func(t *records.Tier) { t.RunningTasks = limit(0) },
		"waiting_tasks is -5":              func(t *records.Tier) { t.WaitingTasks = limit(-5) },
		"upload_bytes is 1000000000000001": func(t *records.Tier) { t.UploadBytes = limit(quota.MaxLimit + 1) },
	} {
		wrong := records.NewTier("gold")
		change(&wrong)
		_, err := f.SetTier(t.Context(), wrong)
		recordstest.RequireCode(t, core.CodeInvalidInput, err)
		require.Contains(t, core.PublicMessage(err), says)
	}
	require.Equal(t, []string{"standard"}, f.Rows(`SELECT name FROM tier`))
}

func TestTheQueueGoesByTierTurnAndPriority(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	f.served("first", 2, 1)
	f.served("heavy", 5, 2)
	f.served("eager", 6, 8) // as heavy, of an even priority
	f.served("last", 7, 9)
	queue := func(tenant string, priorities ...int) (ids []string) {
		for _, priority := range priorities {
			n := newTask(1)
			n.Tenant, n.Priority = tenant, priority
			f.Create(n)
			ids = append(ids, n.ID)
		}
		return ids
	}
	last := queue("last", 1)
	light := queue("light", 3, 3, 1) // the third comes first
	heavy := queue("heavy", 3, 3, 3, 3)
	first := queue("first", 5, 5)
	found, err := f.Progresses(ctx, slices.Concat(last, light, heavy, first))
	require.NoError(t, err)
	positions := func(ids []string) (list []int) {
		for _, id := range ids {
			list = append(list, found[id].QueuePosition)
		}
		return list
	}
	require.Equal(t, []int{1, 2}, positions(first))
	require.Equal(t, []int{3, 4, 6, 7}, positions(heavy), "behind those of the better tier, with two turns for each of the light tenant")
	require.Equal(t, []int{2 + 2 + 2, 2 + 3 + 4, 2 + 1}, positions(light))
	require.Equal(t, []int{10}, positions(last))

	eager := queue("eager", 3, 3)
	found, err = f.Progresses(ctx, slices.Concat(eager, last, first))
	require.NoError(t, err)
	require.Equal(t, []int{2 + 1, 2 + 2 + 1}, positions(eager), "a quarter of its weight is that of heavy")
	require.Equal(t, []int{12}, positions(last))
	require.Equal(t, []int{1, 2}, positions(first))
}

// served puts a tenant into a tier of its own.
func (f fixture) served(tenant string, priority, weight int) {
	f.T.Helper()
	tier := records.NewTier(tenant)
	tier.Priority, tier.Weight = priority, weight
	_, err := f.SetTier(f.T.Context(), tier)
	require.NoError(f.T, err)
	_, err = f.SetTenant(f.T.Context(), tenant, records.TenantChange{Tier: &tenant})
	require.NoError(f.T, err)
}

// Each pair of priorities is one of Temporal's, and its second priority has a quarter of the weight.
func TestTenPrioritiesAreFiveWithTwoShares(t *testing.T) {
	f := open(t)
	for priority := 1; priority <= 10; priority++ {
		f.served(tenant, priority, 6)
		n := newTask(1)
		f.Create(n)
		want := records.Share{PriorityKey: (priority + 1) / 2, FairnessWeight: 6}
		if priority%2 == 0 {
			want.FairnessWeight = 1.5
		}
		dispatched, share, err := f.DispatchTask(t.Context(), n.ID)
		require.NoError(t, err)
		require.True(t, dispatched)
		require.Equal(t, want, share)
		share, err = f.ShareOf(t.Context(), tenant)
		require.NoError(t, err)
		require.Equal(t, want, share)
	}
	share, err := f.ShareOf(t.Context(), "nobody")
	require.NoError(t, err)
	require.Zero(t, share)
}

func TestTenantsComeWithTheirFirstKey(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	plain, _, err := f.CreateKey(ctx, records.NewKey{Tenant: tenant})
	require.NoError(t, err)
	_, _, err = f.CreateKey(ctx, records.NewKey{Tenant: tenant})
	require.NoError(t, err)
	f.running(1)
	f.Create(newTask(1))
	found, err := f.Tenant(ctx, tenant)
	require.NoError(t, err)
	require.Equal(t, []any{records.DefaultTier, records.Usage{RunningTasks: 1, WaitingTasks: 1}}, []any{found.Tier, found.Usage})

	yes, no := true, false
	for _, c := range []struct {
		disabled *bool
		code     core.Code
	}{{&yes, core.CodeUnauthorized}, {nil, core.CodeUnauthorized}, {&no, ""}} {
		changed, err := f.SetTenant(ctx, tenant, records.TenantChange{Disabled: c.disabled})
		require.NoError(t, err)
		require.Equal(t, c.code != "", changed.DisabledAt != nil)
		_, err = f.Authenticate(ctx, plain)
		require.Equal(t, c.code, core.CodeOf(err))
	}
	list, err := f.ListTenants(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	_, err = f.Tenant(ctx, "nobody")
	recordstest.RequireCode(t, core.CodeNotFound, err)
	absent := "absent"
	_, err = f.SetTenant(ctx, tenant, records.TenantChange{Tier: &absent})
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
	require.Contains(t, core.PublicMessage(err), "tier absent does not exist")
	_, err = f.SetTenant(ctx, "a tenant", records.TenantChange{})
	recordstest.RequireCode(t, core.CodeInvalidInput, err)
}
