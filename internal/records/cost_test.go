package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/records"
)

func TestCostsAreByDayAndModel(t *testing.T) {
	f := open(t)
	call := func(key, of, model string, at time.Time) {
		t.Helper()
		c := okCall(key, "t", "answer")
		c.Tenant, c.Model, c.StartedAt = of, model, at
		require.NoError(t, f.RecordCall(t.Context(), c))
	}
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	call("1", tenant, "m1", first)
	call("2", tenant, "m1", first.Add(24*time.Hour-time.Millisecond))
	call("3", tenant, "m2", first.Add(24*time.Hour))
	call("4", "other", "m1", first)
	call("5", tenant, "m1", first.Add(-time.Millisecond))
	call("6", tenant, "m1", first.Add(48*time.Hour))
	failed := failedCall("7")
	failed.StartedAt = first.Add(time.Hour)
	require.NoError(t, f.RecordCall(t.Context(), failed))
	require.Equal(t, string(core.CodeTranslatorUnavailable), failed.Outcome)

	read := func(of string) []records.Cost {
		t.Helper()
		list, err := f.Costs(t.Context(), of, first, first.Add(48*time.Hour))
		require.NoError(t, err)
		for i := range list {
			list[i].Day = list[i].Day.UTC()
		}
		return list
	}
	next := records.Cost{Day: first.Add(24 * time.Hour), Provider: "openai", Model: "m2", Calls: 1, InputTokens: 10, OutputTokens: 20, CostMicros: 2500}
	require.Equal(t, []records.Cost{
		{Day: first, Provider: "openai", Model: "m1", Calls: 3, FailedCalls: 1, InputTokens: 20, OutputTokens: 40, CostMicros: 5000}, next,
	}, read(tenant))
	require.Equal(t, []records.Cost{
		{Day: first, Provider: "openai", Model: "m1", Calls: 4, FailedCalls: 1, InputTokens: 30, OutputTokens: 60, CostMicros: 7500}, next,
	}, read(""), "all tenants together")
	require.Empty(t, read("nobody"))
}
