package translate_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/benchtest"
	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate"
	"plait/internal/translate/ledger"
	"plait/internal/translate/provider"
)

// account is what pages through a lying server came to.
type account struct {
	Pages int `json:"pages"`
	// Exact is the number of pages whose answer held each segment once; Wrong is the number of texts that were taken and are
	// not the true ones: where several faults on one call make up for each other's traces.
	Exact        int `json:"exact"`
	Regions      int `json:"regions"`
	Untranslated int `json:"untranslated"`
	Wrong        int `json:"wrong"`
	// Calls are all requests that the server saw, Answered those recorded as answered.
	Calls    int `json:"calls"`
	Answered int `json:"answered"`
	// PaidTwice is the number of answers to a question that had one already.
	PaidTwice int `json:"paid_twice"`
}

const (
	liePages    = 1000
	lieSeed     = 7
	lieTimeout  = 2 * time.Second
	liesAtOnce  = 24
	maxAttempts = 30
)

// thousand are the pages of a run: 4 to 20 regions of Japanese, none like another.
func thousand(n int) []translate.Request {
	r := rand.New(rand.NewPCG(lieSeed, 0))
	requests := make([]translate.Request, n)
	for p := range requests {
		request := translate.Request{From: "ja", To: "en", Page: core.Item{
			TaskID: fmt.Sprint("task", p/20), Tenant: "tenant", Index: p % 20, Name: fmt.Sprintf("%03d.png", p%20),
		}}
		for i := range 4 + r.IntN(17) {
			text := make([]rune, 4+r.IntN(20))
			for k := range text {
				text[k] = 'ぁ' + rune(r.IntN(80))
			}
			request.Segments = append(request.Segments, translate.Segment{Index: i, Text: string(text)})
		}
		requests[p] = request
	}
	return requests
}

// throughLies takes the pages through a server of that matrix, each tried again as a step of a workflow is.
func throughLies(tb testing.TB, kind string, rates map[llmtest.Kind]float64, requests []translate.Request) account {
	tb.Helper()
	s := llmtest.New(tb, llmtest.WithModels("first", "second"), llmtest.WithMatrix(llmtest.Matrix{
		Seed: lieSeed, Rates: rates, RetryAfter: "0.002", Latency: llmtest.Latency{Median: 2 * time.Millisecond, Sigma: 0.5},
	}))
	// A circuit would open: calls come many at once, and half of them fail.
	c := translate.Config{CircuitFailures: 1 << 20, Temperature: translate.DefaultTemperature, Provider: provider.Config{
		Kind: kind, BaseURL: s.OpenAIURL(), Model: "first", Key: "key", Timeout: lieTimeout,
	}}
	if kind == provider.Gemini {
		c.Provider.BaseURL = s.GeminiURL()
	}
	withFallback("second")(&c)
	l := &memory{}
	translator, err := translate.New(c, l, slog.New(slog.DiscardHandler))
	require.NoError(tb, err)

	total := account{Pages: len(requests)}
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(liesAtOnce)
	for _, request := range requests {
		group.Go(func() error {
			result, err := persist(tb.Context(), translator, request)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			total.judge(request, result)
			return nil
		})
	}
	require.NoError(tb, group.Wait())
	answered := map[string]bool{}
	for _, call := range l.recorded() {
		if call.Outcome != ledger.OutcomeOK {
			continue
		}
		total.Answered++
		if answered[call.Key] {
			total.PaidTwice++
		}
		answered[call.Key] = true
	}
	total.Calls = s.CallCount()
	return total
}

// persist asks again after an error that a workflow would try again after.
func persist(ctx context.Context, translator translate.Translator, request translate.Request) (translate.Result, error) {
	for attempt := 1; ; attempt++ {
		result, err := translator.Translate(ctx, request)
		if err == nil || attempt == maxAttempts || core.CodeOf(err).RetryRule() != core.RetryBackoff {
			return result, err
		}
	}
}

func (a *account) judge(request translate.Request, result translate.Result) {
	if core.CheckTranslations(len(request.Segments), result.Translations) == nil {
		a.Exact++
	}
	for i, translation := range result.Translations {
		a.Regions++
		switch {
		case translation.Untranslated != "":
			a.Untranslated++
		case translation.Text != llmtest.Mark(request.Segments[i].Text):
			a.Wrong++
		}
	}
}

// Every fault at once, each in one call of twenty, in both protocols.
func TestPagesThroughTheLyingServerAreExact(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{provider.OpenAI, provider.Gemini} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			got := throughLies(t, kind, llmtest.Everything(0.05), thousand(40))
			require.Equal(t, got.Pages, got.Exact)
			require.LessOrEqual(t, got.Wrong*500, got.Regions, "but for faults that hide each other")
			require.Zero(t, got.PaidTwice)
			require.LessOrEqual(t, got.Untranslated*200, got.Regions)
		})
	}
}

// BenchmarkLies takes a thousand pages through the lying server: with no fault, with each alone at 5 %, with 5 % of calls
// lying in any way, and with every fault at 5 % of all calls, so that half of them cannot be used. It prints one JSON line a
// case; the ratio is of the calls to those of the run without faults.
//
//	go test ./internal/translate -run '^$' -bench Lies -benchtime 1x
func BenchmarkLies(b *testing.B) {
	type run struct {
		name  string
		rates map[llmtest.Kind]float64
	}
	runs := []run{
		{"none", nil}, {"5 % in all", llmtest.Everything(0.05 / float64(len(llmtest.Kinds())))}, {"each at 5 %", llmtest.Everything(0.05)},
	}
	for _, kind := range llmtest.Kinds() {
		runs = append(runs, run{string(kind) + " at 5 %", map[llmtest.Kind]float64{kind: 0.05}})
	}
	requests := thousand(liePages)
	honest := throughLies(b, provider.OpenAI, nil, requests)
	for _, run := range runs {
		b.Run(run.name, func(b *testing.B) {
			for range b.N {
				got := throughLies(b, provider.OpenAI, run.rates, requests)
				benchtest.Write(b, []string{"pages of a seed"}, struct {
					Case string `json:"case"`
					account
					Ratio float64 `json:"ratio"`
				}{"lies: " + run.name, got, math.Round(1000*float64(got.Calls)/float64(honest.Calls)) / 1000})
			}
		})
	}
}
