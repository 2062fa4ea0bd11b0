package provider_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/translate/provider"
)

// scripted fails as it is told, one error a call.
type scripted struct {
	failures []error
	calls    int
}

func (s *scripted) Complete(context.Context, provider.Prompt) (provider.Completion, error) {
	s.calls++
	if len(s.failures) == 0 {
		return provider.Completion{Text: "fine"}, nil
	}
	err := s.failures[0]
	s.failures = s.failures[1:]
	return provider.Completion{}, err
}

func (*scripted) Name() string     { return "scripted" }
func (*scripted) Model() string    { return "m" }
func (*scripted) Endpoint() string { return "http://127.0.0.1" }

func TestTheCircuitOpensAfterFailuresInARow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		away := core.NewError(core.CodeTranslatorUnavailable, "away")
		limited := core.NewError(core.CodeTranslatorRateLimited, "wait")
		s := &scripted{failures: []error{away, away, limited, away, context.Canceled, away, away, away}}
		var told []bool
		p := provider.WithCircuit(s, 3, 20*time.Second, func(open bool) { told = append(told, open) })
		for range 7 {
			_, err := p.Complete(t.Context(), prompt)
			require.Error(t, err)
			require.False(t, provider.IsOpen(err))
		}
		require.Equal(t, []bool{true}, told, "two in a row, a limit, three in a row around a cancellation")
		<-time.After(5 * time.Second)
		_, err := p.Complete(t.Context(), prompt)
		require.True(t, provider.IsOpen(err))
		var e *core.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, core.CodeTranslatorUnavailable, e.Code)
		require.Equal(t, 15*time.Second, e.RetryAfter)
		require.Equal(t, 7, s.calls)

		<-time.After(16 * time.Second)
		_, err = p.Complete(t.Context(), prompt)
		require.Error(t, err)
		require.False(t, provider.IsOpen(err), "one call tries")
		_, err = p.Complete(t.Context(), prompt)
		require.True(t, provider.IsOpen(err))

		<-time.After(21 * time.Second)
		got, err := p.Complete(t.Context(), prompt)
		require.NoError(t, err)
		require.Equal(t, "fine", got.Text)
		require.Equal(t, []bool{true, true, false}, told)
	})
}
