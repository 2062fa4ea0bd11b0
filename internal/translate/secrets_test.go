package translate_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/provider"
)

// shared is a buffer that several may write to.
type shared struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// However calls fail, neither logs above debug nor errors hold what a page says or the key that it is asked with.
func TestNothingOfAPageOrAKeyIsTold(t *testing.T) {
	t.Parallel()
	const key = "sk-this-is-a-key"
	var told shared
	rates := llmtest.Everything(0.15)
	rates[llmtest.KindHang] = 0 // whose time-out says no more than that of any other
	log := slog.New(slog.NewTextHandler(&told, nil))
	for _, kind := range []string{provider.OpenAI, provider.Gemini, provider.Anthropic} {
		s := llmtest.New(t, llmtest.WithMatrix(llmtest.Matrix{Seed: 3, Rates: rates, RetryAfter: "0.001"}), llmtest.WithEvery(llmtest.Echo(1)))
		c := translate.Config{Temperature: 0.1, CircuitFailures: 1 << 20, Provider: provider.Config{
			Kind: kind, BaseURL: s.URL(), Model: s.Model(), Key: key, Timeout: lieTimeout, Headers: map[string]string{"X-Key": key},
		}}
		if kind == provider.OpenAI {
			c.Provider.BaseURL = s.OpenAIURL()
		}
		translator, err := translate.New(c, &memory{}, log)
		require.NoError(t, err)
		for _, r := range thousand(6) {
			_, err := persist(t.Context(), translator, r)
			if err != nil {
				_, _ = told.Write([]byte(err.Error()))
			}
			for _, segment := range r.Segments {
				require.NotContains(t, told.String(), segment.Text, kind)
			}
		}
		require.NotContains(t, told.String(), key)
		require.NotContains(t, told.String(), "<|1|>")
	}
	require.Contains(t, told.String(), "regions are left untranslated")
}
