package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/api/schema"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/ledger"
)

func TestCostsAreThoseOfTheTenantAndForAdministratorsOfAll(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	reader, operator := r.callerOf("acme", records.ScopeRead), r.callerOf("operator", records.ScopeAdmin)
	now := time.Now().UTC()
	call := func(key, tenant string, at time.Time) {
		t.Helper()
		require.NoError(t, r.records.RecordCall(t.Context(), ledger.Call{
			Key: key, Tenant: tenant, Provider: "openai", Model: "m1", StartedAt: at, CostMicros: 2500, Outcome: ledger.OutcomeOK,
			Answer: ledger.Answer{Text: "answer", InputTokens: 10, OutputTokens: 20},
		}))
	}
	call("1", "acme", now)
	call("2", "press", now)
	call("3", "acme", now.AddDate(0, 0, -60))
	ask := func(c caller, path string) (costs schema.Costs) {
		t.Helper()
		c.get(path).is(http.StatusOK).into(&costs)
		return costs
	}
	day := func(at time.Time) string { return at.Format(time.DateOnly) }
	one := schema.Cost{Day: day(now), Provider: "openai", Model: "m1", Calls: 1, InputTokens: 10, OutputTokens: 20, CostMicros: 2500}
	require.Equal(t, schema.Costs{From: day(now.AddDate(0, 0, -29)), To: day(now), Costs: []schema.Cost{one}}, ask(reader, "/v1/costs"))
	require.Len(t, ask(reader, "/v1/costs?from="+day(now.AddDate(0, 0, -60))).Costs, 2)
	require.Empty(t, ask(reader, "/v1/costs?to="+day(now.AddDate(0, 0, -1))).Costs)
	require.Equal(t, int64(2), ask(operator, admin+"/costs").Costs[0].Calls, "of all tenants together")
	require.Equal(t, []schema.Cost{one}, ask(operator, admin+"/costs?tenant=press").Costs)
	require.Empty(t, ask(operator, "/v1/costs").Costs, "its own")

	for path, says := range map[string]string{
		"/v1/costs?tenant=press":                       `"tenant" is not known`,
		"/v1/costs?from=yesterday":                     `from "yesterday" is not a day`,
		"/v1/costs?from=2026-02-30":                    "is not a day",
		"/v1/costs?from=2026-02-02&to=2026-02-01":      "is after to",
		"/v1/costs?from=2024-01-01&to=2025-01-01":      "more than 366 days",
		admin + "/costs?tenant=":                       "is not the name of a tenant",
		admin + "/costs?tenant=a%20b":                  "is not the name of a tenant",
		admin + "/costs?from=2024-01-01&to=" + "12345": "is not a day",
	} {
		operator.get(path).refused(http.StatusBadRequest, core.CodeInvalidInput, says)
	}
	reader.get(admin+"/costs").refused(http.StatusForbidden, core.CodeForbidden, "scope")
}
