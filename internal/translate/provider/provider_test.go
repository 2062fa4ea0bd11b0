package provider_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
	"plait/internal/llmtest"
	"plait/internal/translate/provider"
)

const (
	key    = "secret-key"
	secret = "秘密の台詞"
)

var kinds = []string{provider.OpenAI, provider.Ollama, provider.Gemini, provider.Anthropic}

func config(kind string, s *llmtest.Server) provider.Config {
	c := provider.Config{Kind: kind, BaseURL: s.OpenAIURL(), Key: key, Model: s.Model()}
	if kind == provider.Gemini || kind == provider.Anthropic {
		c.BaseURL = s.URL()
	}
	return c
}

func open(t *testing.T, c provider.Config) provider.Provider {
	t.Helper()
	p, err := provider.Open(c)
	require.NoError(t, err)
	return p
}

var prompt = provider.Prompt{System: "rules", User: "Translate:\n<|1|>" + secret + "\n", Temperature: 0.3, TopP: 0.9, MaxTokens: 500}

func TestCompletes(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(t, llmtest.WithKey(key), llmtest.WithTable(map[string]string{secret: "a secret line"}))
			c := config(kind, s)
			c.Headers = map[string]string{"X-Title": "Plait"}
			p := open(t, c)
			got, err := p.Complete(t.Context(), prompt)
			require.NoError(t, err)
			require.Equal(t, "<|1|>a secret line", got.Text)
			require.Equal(t, provider.FinishStop, got.FinishReason)
			require.Equal(t, s.Model(), got.Model)
			require.Positive(t, got.InputTokens)
			require.Positive(t, got.OutputTokens)

			call := s.Calls()[0]
			require.Equal(t, prompt.System, call.System)
			require.Equal(t, prompt.User, call.User)
			require.Equal(t, "Plait", call.Header.Get("X-Title"))
			require.InDelta(t, 0.3, *call.Temperature, 1e-6)
			if kind != provider.Anthropic { // which takes one of the two
				require.InDelta(t, 0.9, *call.TopP, 1e-6)
			}
			require.Equal(t, 500, call.MaxTokens)
			require.Equal(t, kind, p.Name())
			require.Equal(t, c.BaseURL, p.Endpoint())
		})
	}
}

func TestZeroTemperatureIsSent(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t)
		_, err := open(t, config(kind, s)).Complete(t.Context(), provider.Prompt{System: "s", User: "u"})
		require.NoError(t, err)
		require.NotNil(t, s.Calls()[0].Temperature)
		require.InDelta(t, 0, *s.Calls()[0].Temperature, 1e-6)
		require.Nil(t, s.Calls()[0].TopP)
	}
}

// A content filter is told apart from a failure: what it stops is an answer without a text.
func TestRefusedContent(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]llmtest.Fault{
		"reply":   llmtest.ContentFilter(),
		"request": llmtest.Reject(400, "content_filter", ""),
	} {
		for _, kind := range kinds {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				s := llmtest.New(t, llmtest.WithFaults(fault))
				got, err := open(t, config(kind, s)).Complete(t.Context(), prompt)
				require.NoError(t, err)
				require.Equal(t, provider.FinishRefused, got.FinishReason)
				require.Empty(t, got.Text)
			})
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault llmtest.Fault
		code  core.Code
		wait  time.Duration
		says  string
	}{
		"key":                 {llmtest.Status(401), core.CodeTranslatorRefused, 0, "key"},
		"forbidden":           {llmtest.Status(403), core.CodeTranslatorRefused, 0, "key"},
		"model":               {llmtest.Status(404), core.CodeTranslatorRefused, 0, "model"},
		"request":             {llmtest.Status(400), core.CodeTranslatorRefused, 0, "request"},
		"too long":            {llmtest.Reject(400, "context_length_exceeded", ""), core.CodeTranslatorRefused, 0, "too long"},
		"rate limit":          {llmtest.RateLimit("7"), core.CodeTranslatorRateLimited, 7 * time.Second, "wait"},
		"rate limit, silent":  {llmtest.RateLimit(""), core.CodeTranslatorRateLimited, 0, "wait"},
		"rate limit, forever": {llmtest.RateLimit("1e9"), core.CodeTranslatorRateLimited, time.Hour, "wait"},
		"quota":               {llmtest.Reject(429, "insufficient_quota", ""), core.CodeTranslatorRefused, 0, "credit"},
		"server error":        {llmtest.Status(500), core.CodeTranslatorUnavailable, 0, "not available"},
		"overloaded":          {llmtest.Busy(503, "3"), core.CodeTranslatorUnavailable, 3 * time.Second, "not available"},
		"redirect":            {llmtest.Redirect(), core.CodeTranslatorRefused, 0, "redirect"},
		"cut connection":      {llmtest.Cut(), core.CodeTranslatorUnavailable, 0, "cut"},
		"huge":                {llmtest.Huge(1 << 20), core.CodeTranslatorUnavailable, 0, "without end"},
		"not JSON":            {llmtest.WrongJSON(), core.CodeTranslatorUnavailable, 0, "not a completion"},
	} {
		for _, kind := range kinds {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				s := llmtest.New(t, llmtest.WithFaults(test.fault))
				c := config(kind, s)
				c.MaxResponseBytes = 64 << 10
				_, err := open(t, c).Complete(t.Context(), prompt)
				var e *core.Error
				require.ErrorAs(t, err, &e)
				require.Equal(t, test.code, e.Code)
				require.Equal(t, test.wait, e.RetryAfter)
				require.Contains(t, e.Message, test.says)
				require.NotContains(t, err.Error(), key)
				require.NotContains(t, err.Error(), secret)
				require.NotContains(t, err.Error(), "quotes the request")
				require.Equal(t, 1, s.CallCount(), "no retry of its own")
			})
		}
	}
}

func TestRetryAfterMayBeADate(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithFaults(llmtest.RateLimit(time.Now().Add(30*time.Second).UTC().Format(http.TimeFormat))))
	_, err := open(t, config(provider.OpenAI, s)).Complete(t.Context(), prompt)
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Greater(t, e.RetryAfter, 20*time.Second)
	require.LessOrEqual(t, e.RetryAfter, 30*time.Second)
}

func TestRetryDelayInABodyOfGoogle(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}]}}`)
	}))
	t.Cleanup(s.Close)
	p := open(t, provider.Config{Kind: provider.Gemini, BaseURL: s.URL, Key: key, Model: "m"})
	_, err := p.Complete(t.Context(), prompt)
	var e *core.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, core.CodeTranslatorRateLimited, e.Code)
	require.Equal(t, 34*time.Second, e.RetryAfter)
}

func TestWrongKey(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t, llmtest.WithKey("another"))
		_, err := open(t, config(kind, s)).Complete(t.Context(), prompt)
		require.ErrorIs(t, err, core.NewError(core.CodeTranslatorRefused, ""))
		require.NotContains(t, err.Error(), key)
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t)
		c := config(kind, s)
		s.Close()
		_, err := open(t, c).Complete(t.Context(), prompt)
		require.ErrorIs(t, err, core.NewError(core.CodeTranslatorUnavailable, ""))
		require.NotContains(t, err.Error(), key)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t, llmtest.WithEvery(llmtest.Drip(10*time.Second)))
		c := config(kind, s)
		c.Timeout = 100 * time.Millisecond
		_, err := open(t, c).Complete(t.Context(), prompt)
		require.ErrorIs(t, err, core.NewError(core.CodeTranslatorUnavailable, ""))
		require.ErrorContains(t, err, "within 100ms")
	}
}

func TestCancelEndsTheCallInFlight(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		s := llmtest.New(t, llmtest.WithEvery(llmtest.Hang()))
		p := open(t, config(kind, s))
		ctx, cancel := context.WithCancel(t.Context())
		var group errgroup.Group
		group.Go(func() error {
			_, err := p.Complete(ctx, prompt)
			return err
		})
		require.NoError(t, s.WaitInFlight(t.Context(), 1))
		cancel()
		require.ErrorIs(t, group.Wait(), context.Canceled)
		require.NoError(t, s.WaitInFlight(t.Context(), 0))
	}
}

func TestParametersThatAModelDoesNotTakeAreLearned(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithFaults(
		llmtest.Reject(400, "unsupported_value", "temperature"), llmtest.Reject(400, "unsupported_parameter", "max_tokens")))
	p := open(t, config(provider.OpenAI, s))
	_, err := p.Complete(t.Context(), prompt)
	require.NoError(t, err)
	_, err = p.Complete(t.Context(), prompt)
	require.NoError(t, err)
	require.Equal(t, 4, s.CallCount())
	for _, call := range s.Calls()[2:] {
		require.Nil(t, call.Temperature)
		require.Nil(t, call.TopP)
		require.Equal(t, "max_completion_tokens", call.MaxTokensField)
	}
}

func TestModelsOfOpenAIThatTakeNoSampling(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithModels("gpt-5-mini"))
	_, err := open(t, config(provider.OpenAI, s)).Complete(t.Context(), prompt)
	require.NoError(t, err)
	require.Equal(t, 1, s.CallCount())
	require.Nil(t, s.Calls()[0].Temperature)
	require.Equal(t, "max_completion_tokens", s.Calls()[0].MaxTokensField)
}

// Whatever the protocol, calls go through the proxy that is configured, and through no other.
func TestProxy(t *testing.T) {
	t.Parallel()
	s := llmtest.New(t, llmtest.WithModels(llmtest.DefaultModel, llmtest.DeepLModel))
	target, err := url.Parse(s.URL())
	require.NoError(t, err)
	asked := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Host
		r.URL.Host, r.URL.Scheme, r.RequestURI = target.Host, "http", ""
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer response.Body.Close()
		w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
		w.WriteHeader(response.StatusCode)
		_, _ = io.Copy(w, response.Body)
	}))
	t.Cleanup(proxy.Close)
	segments := prompt
	segments.Segments, segments.To = []string{secret}, "en"
	for _, kind := range []string{provider.OpenAI, provider.Gemini, provider.Anthropic, provider.DeepL} {
		base := "http://models.example"
		if kind == provider.OpenAI {
			base += "/v1"
		}
		p := open(t, provider.Config{Kind: kind, BaseURL: base, Key: key, Model: llmtest.DefaultModel, Proxy: proxy.URL})
		_, err = p.Complete(t.Context(), segments)
		require.NoError(t, err, kind)
		require.Equal(t, "models.example", <-asked, kind)
	}
}

// OpenRouter stops a prompt by its moderation with the status of a wrong key, and may tell a failure with status 200.
func TestOpenRoutersOwnAnswers(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]core.Code{
		`{"error":{"code":403,"message":"flagged","metadata":{"reasons":["violence"],"flagged_input":"` + secret + `","provider_name":"x"}}}`: "",
		`{"error":{"code":403,"message":"no access to this model"}}`:                                                                          core.CodeTranslatorRefused,
		`{"error":{"code":502,"message":"` + secret + `"}}`:                                                                                   core.CodeTranslatorUnavailable,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if strings.Contains(body, "403") {
				w.WriteHeader(http.StatusForbidden)
			}
			fmt.Fprint(w, body)
		}))
		t.Cleanup(s.Close)
		got, err := open(t, provider.Config{Kind: provider.OpenAI, BaseURL: s.URL, Key: key, Model: "m"}).Complete(t.Context(), prompt)
		if want == "" {
			require.NoError(t, err)
			require.Equal(t, provider.FinishRefused, got.FinishReason)
			continue
		}
		require.Equal(t, want, core.CodeOf(err), body)
		require.NotContains(t, err.Error(), secret)
	}
}

func TestOpenRefusesWhatIsMissing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config provider.Config
		code   core.Code
	}{
		"kind":    {provider.Config{Kind: "echo", Model: "m"}, core.CodeTranslatorMissing},
		"model":   {provider.Config{Kind: provider.Ollama}, core.CodeTranslatorMissing},
		"key":     {provider.Config{Kind: provider.OpenAI, Model: "m"}, core.CodeTranslatorMissing},
		"gemini":  {provider.Config{Kind: provider.Gemini, Model: "m"}, core.CodeTranslatorMissing},
		"address": {provider.Config{Kind: provider.OpenAI, Model: "m", BaseURL: "localhost:8000"}, core.CodeInvalidInput},
		"proxy":   {provider.Config{Kind: provider.Ollama, Model: "m", Proxy: "nowhere"}, core.CodeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := provider.Open(test.config)
			require.ErrorIs(t, err, core.NewError(test.code, ""))
		})
	}
}

func TestConfigNeverShowsItsKey(t *testing.T) {
	t.Parallel()
	c := provider.Config{Kind: "openai", BaseURL: "http://u:" + key + "@host/v1?key=" + key, Key: key, Model: "m", Headers: map[string]string{"X": key}}
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		shown := fmt.Sprintf(form, struct{ Provider provider.Config }{c})
		require.NotContains(t, shown, key)
		require.Contains(t, shown, "host")
	}
	require.NotContains(t, c.LogValue().String(), key)
}
