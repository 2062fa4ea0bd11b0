package translate_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/ledger"
)

// heard is an observer that remembers.
type heard struct {
	mu       sync.Mutex
	outcomes []string
	circuits map[string]bool
}

func (h *heard) Called(c ledger.Call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.outcomes = append(h.outcomes, c.Model+" "+c.Outcome)
}

func (h *heard) Circuit(provider, model string, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.circuits == nil {
		h.circuits = map[string]bool{}
	}
	h.circuits[provider+" "+model] = open
}

// A model that does not answer is left alone for a while, and the fallback model asked in its place.
func TestTheFallbackModelStandsInForOneThatIsAway(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithModels("first", "second"), llmtest.WithTable(table),
		llmtest.WithFaults(llmtest.Status(502), llmtest.Status(500)))
	h := &heard{}
	translator := newTranslator(t, s, &memory{}, withFallback("second"), func(c *translate.Config) {
		c.CircuitFailures, c.CircuitPause, c.Observer = 2, time.Hour, h
	})
	for range 2 {
		_, err := translator.Translate(t.Context(), request("ドカン"))
		require.Equal(t, core.CodeTranslatorUnavailable, core.CodeOf(err))
	}
	require.Equal(t, map[string]bool{"openai first": true}, h.circuits)
	got, err := translator.Translate(t.Context(), request("ドカン"))
	require.NoError(t, err)
	require.Equal(t, []string{"Boom"}, texts(got))
	require.Equal(t, []string{"first TRANSLATOR_UNAVAILABLE", "first TRANSLATOR_UNAVAILABLE", "second ok"}, h.outcomes)
	require.Equal(t, 3, s.CallCount())
}

func TestWithoutAFallbackAnOpenCircuitTellsWhenToComeBack(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithEvery(llmtest.Status(500)))
	l := &memory{}
	translator := newTranslator(t, s, l, func(c *translate.Config) { c.CircuitFailures, c.CircuitPause = 1, time.Hour })
	for range 3 {
		_, err := translator.Translate(t.Context(), request("ドカン"))
		require.Equal(t, core.CodeTranslatorUnavailable, core.CodeOf(err))
	}
	_, err := translator.Translate(t.Context(), request("ドカン"))
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.InDelta(t, time.Hour, e.RetryAfter, float64(time.Minute))
	require.Equal(t, 1, s.CallCount())
	require.Len(t, l.recorded(), 1, "what is not asked is not in the account")
}

// window is a budget with room for one call of a size.
type window struct {
	room    int
	asked   []int
	settled []int
	account string
}

func (w *window) ReserveCall(_ context.Context, account string, tokens int, limits ledger.Limits) (int64, time.Duration, error) {
	w.account = account
	w.asked = append(w.asked, tokens)
	if w.room == 0 {
		return 0, 7 * time.Second, nil
	}
	w.room--
	return int64(len(w.asked)), 0, nil
}

func (w *window) SettleCall(_ context.Context, _ int64, tokens int) error {
	w.settled = append(w.settled, tokens)
	return nil
}

func TestACallWaitsForItsBudgetWithoutASlot(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithTable(table))
	w := &window{room: 1}
	l := &memory{}
	translator := newTranslator(t, s, l, func(c *translate.Config) {
		c.Provider.Key, c.Budgets, c.Limits = "sk-secret", w, ledger.Limits{Requests: 1}
	})
	_, err := translator.Translate(t.Context(), request("ドカン"))
	require.NoError(t, err)
	_, err = translator.Translate(t.Context(), request("東京"))
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, core.CodeTranslatorRateLimited, e.Code)
	require.Equal(t, 7*time.Second, e.RetryAfter)
	require.Equal(t, 1, s.CallCount())
	answer := l.recorded()[0].Answer
	require.Equal(t, []int{answer.InputTokens + answer.OutputTokens}, w.settled)
	require.Positive(t, w.asked[1])
	require.NotContains(t, w.account, "secret")

	got, err := translator.Translate(t.Context(), request("ドカン"))
	require.NoError(t, err, "a recorded answer needs no budget")
	require.Equal(t, 1, got.Reused)
}
