package comicrecords_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/comic"
	"plait/internal/core"
	"plait/internal/records"
	"plait/internal/translate/ledger"
)

// What a chapter costs stands beside what it should have cost: by page, task, and tenant and day.
func TestUsageStandsBesideItsEstimate(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	page := f.running(2).Items[1]
	detect, translate := runOf(page, comic.StageDetect, 1), runOf(page, comic.StageTranslate, 1)
	f.Begin(detect)
	require.NoError(t, f.SaveDetect(ctx, detect, comic.DetectOutput{FromLang: "ja", Regions: regions("はい")}))
	for i, outcome := range []string{string(core.CodeTranslatorUnavailable), ledger.OutcomeOK, ledger.OutcomeOK} {
		call := ledger.Call{
			Key: string(rune('a' + i)), Tenant: tenant, TaskID: page.TaskID, Page: 1, Provider: "openai", Model: "m", StartedAt: time.Now(),
			Outcome: outcome,
		}
		if outcome == ledger.OutcomeOK {
			call.CostMicros, call.Answer = 700, ledger.Answer{Text: "x", InputTokens: 100, OutputTokens: 20}
		}
		require.NoError(t, f.RecordCall(ctx, call))
	}
	f.Begin(translate)
	out := translated("Yes")
	out.Estimated = &core.Usage{Calls: 1, InputTokens: 90, OutputTokens: 25, CostMicros: 650}
	require.NoError(t, f.SaveTranslations(ctx, translate, out))

	got, err := f.Usage(ctx, page.TaskID)
	require.NoError(t, err)
	require.Equal(t, records.TaskUsage{
		Actual: core.Usage{Calls: 3, InputTokens: 200, OutputTokens: 40, CostMicros: 1400}, Estimated: *out.Estimated,
	}, got)
	require.Equal(t, []string{"2 3 1 0.001400 1 0.000650"}, f.Rows(`SELECT concat_ws(' ', pages, calls, failed_calls, cost, estimated_calls, estimated_cost) FROM cost_by_task`))
	require.Equal(t, []string{"3 200 0.001400"}, f.Rows(`SELECT concat_ws(' ', calls, input_tokens, cost) FROM cost_by_tenant_day`))
}
