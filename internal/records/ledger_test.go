package records_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/records/recordstest"
	"plait/internal/translate/ledger"
)

func okCall(key, taskID, answer string) ledger.Call {
	return ledger.Call{
		Key: key, Tenant: tenant, TaskID: taskID, Provider: "openai", Model: "m1", Params: `{"temperature":0.1}`,
		StartedAt: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Latency: 1500 * time.Millisecond, CostMicros: 2500, Outcome: ledger.OutcomeOK,
		Answer: ledger.Answer{Text: answer, Model: "m1-2026", FinishReason: "stop", InputTokens: 10, OutputTokens: 20},
	}
}

func failedCall(key string) ledger.Call {
	c := okCall(key, "", "")
	c.Outcome, c.Answer, c.CostMicros = string(core.CodeTranslatorUnavailable), ledger.Answer{}, 0
	return c
}

func TestLedger(t *testing.T) {
	f := open(t)
	ctx := t.Context()
	_, found, err := f.LookupCall(ctx, "k")
	require.NoError(t, err)
	require.False(t, found)

	require.NoError(t, f.RecordCall(ctx, failedCall("k")))
	require.NoError(t, f.RecordCall(ctx, failedCall("k")))
	_, found, err = f.LookupCall(ctx, "k")
	require.NoError(t, err)
	require.False(t, found, "a failure answers nothing")

	var group errgroup.Group
	for range 8 {
		group.Go(func() error { return f.RecordCall(ctx, okCall("k", "t", "answer\x00")) })
	}
	require.NoError(t, group.Wait())
	answer, found, err := f.LookupCall(ctx, "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, okCall("", "", "answer").Answer, answer)
	require.Equal(t, []string{"10 1 20000"}, f.Rows(`SELECT count(*), count(answer), sum(cost_micros) FROM model_call`),
		"every call is kept with its cost, one with the answer")
}

// A database that is cut off between a commit and its acknowledgment has the record: the caller, who cannot know, records the call again.
func TestACallThatIsRecordedAgainHasOneRecord(t *testing.T) {
	f := open(t)
	for name, call := range map[string]ledger.Call{"answered": okCall("k", "t", "answer"), "second answer": okCall("k", "t", "other"), "failed": failedCall("f")} {
		call.ID = uuid.NewString()
		for range 3 {
			require.NoError(t, f.RecordCall(t.Context(), call), name)
		}
	}
	require.Equal(t, []string{"k 2 1 5000", "f 1 0 0"}, f.Rows(`SELECT request_key, count(*), count(answer), sum(cost_micros)
		FROM model_call GROUP BY request_key ORDER BY request_key DESC`))
}

// A value that has no place in the table is no outage: nobody waits for the database because of it.
func TestACallThatCannotBeEncodedIsAFaultOfPlait(t *testing.T) {
	f := open(t)
	call := okCall("k", "t", "answer")
	call.Answer.OutputTokens = 99_999_999_999
	recordstest.RequireCode(t, core.CodeInternal, f.RecordCall(t.Context(), call))
	require.NoError(t, f.Ping(t.Context()))
}

func TestCostByModelDay(t *testing.T) {
	f := open(t)
	for i := range 3 {
		require.NoError(t, f.RecordCall(t.Context(), okCall(fmt.Sprint(i), "", "x")))
	}
	require.NoError(t, f.RecordCall(t.Context(), failedCall("0")))
	cheap := okCall("other", "", "x")
	cheap.Model, cheap.CostMicros = "m2", 1
	require.NoError(t, f.RecordCall(t.Context(), cheap))
	require.Equal(t, []string{
		"2026-03-01 00:00:00+00 acme openai m1 4 1 30 60 0.007500 1500",
		"2026-03-01 00:00:00+00 acme openai m2 1 0 10 20 0.000001 1500",
	}, f.Rows(`SELECT * FROM cost_by_model_day ORDER BY model`))
}
