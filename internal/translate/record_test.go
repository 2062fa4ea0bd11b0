package translate

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// answering is a model that answers at once, and is paid for each time. The clock of these tests runs only while
// nothing is done, so there is no server.
type answering struct {
	provider.Provider
	paid     int
	answered func()
}

func (a *answering) Complete(context.Context, provider.Prompt) (provider.Completion, error) {
	a.paid++
	a.answered()
	return provider.Completion{Text: "<|1|>Good morning!", FinishReason: provider.FinishStop}, nil
}

func (*answering) Name() string     { return "openai" }
func (*answering) Model() string    { return "m" }
func (*answering) Endpoint() string { return "" }

// away is a ledger that cannot be written until some time has passed, and takes its time to say so.
type away struct {
	until   time.Time
	failure error
	calls   []ledger.Call
	tries   int
	ids     map[string]bool
}

func (*away) LookupCall(context.Context, string) (ledger.Answer, bool, error) {
	return ledger.Answer{}, false, nil
}

func (a *away) RecordCall(ctx context.Context, c ledger.Call) error {
	a.tries++
	a.ids[c.ID] = true
	if time.Now().Before(a.until) {
		if a.failure != nil {
			return a.failure
		}
		<-ctx.Done()
		return ctx.Err()
	}
	a.calls = append(a.calls, c)
	return nil
}

func TestAPaidAnswerIsKeptUntilItIsRecorded(t *testing.T) {
	t.Parallel()
	unavailable := core.NewError(core.CodeUnavailable, "the database does not answer")
	for name, test := range map[string]struct {
		away     time.Duration
		failure  error // nil: no answer at all
		canceled bool  // by the time the model answers
		code     core.Code
		least    time.Duration
		most     time.Duration
	}{
		"outage":               {20 * time.Minute, unavailable, false, "", 20 * time.Minute, 21 * time.Minute},
		"no answer":            {20 * time.Minute, nil, false, "", 20 * time.Minute, 21 * time.Minute},
		"canceled":             {0, unavailable, true, "", 0, 0},
		"canceled, in outage":  {9 * time.Second, unavailable, true, "", 9 * time.Second, 20 * time.Second},
		"canceled, no answer":  {time.Hour, nil, true, core.CodeCanceled, 10 * time.Second, 2 * time.Minute},
		"canceled, no end":     {time.Hour, unavailable, true, core.CodeUnavailable, 10 * time.Second, 2 * time.Minute},
		"the step is over":     {2 * time.Hour, unavailable, false, core.CodeUnavailable, time.Hour, time.Hour + time.Minute},
		"refused":              {time.Hour, core.NewError(core.CodeInvalidInput, "no"), false, core.CodeInvalidInput, 0, 0},
		"refused and canceled": {time.Hour, core.NewError(core.CodeInvalidInput, "no"), true, core.CodeInvalidInput, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				model := &answering{answered: func() {
					if test.canceled {
						cancel()
					}
				}}
				l := &away{until: time.Now().Add(test.away), failure: test.failure, ids: map[string]bool{}}
				translator := newModel(Config{}, &asked{Provider: model}, nil, l, slog.New(slog.DiscardHandler))
				begun := time.Now()
				got, err := translator.Translate(ctx, Request{From: "ja", To: "en", Segments: []Segment{{Text: "おはよう！"}}})
				took := time.Since(begun)
				require.Equal(t, test.code, core.CodeOf(err), "%v", err)
				require.Equal(t, 1, model.paid)
				require.GreaterOrEqual(t, took, test.least)
				require.LessOrEqual(t, took, test.most)
				require.Less(t, l.tries, 300, "an outage is not hammered")
				require.Len(t, l.ids, 1, "a try whose success is not known is not a second call")
				require.NotContains(t, l.ids, "")
				if err == nil {
					require.Equal(t, "Good morning!", got.Translations[0].Text)
					require.Len(t, l.calls, 1)
				}
			})
		})
	}
}
