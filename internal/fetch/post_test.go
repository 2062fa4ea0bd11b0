package fetch_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/fetch/fetchtest"
)

func TestAMessageIsPostedOnce(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%s %s %s %s %s", r.Method, r.URL, r.Header.Get("Webhook-Id"), r.Header.Get("User-Agent"), b)
		w.Header().Set("Retry-After", r.URL.Query().Get("after"))
		w.Header().Set("Location", "/elsewhere")
		code := 0
		_, _ = fmt.Sscan(r.URL.Query().Get("code"), &code)
		w.WriteHeader(code)
	}))
	t.Cleanup(server.Close)
	c := fetch.New(fetch.Config{Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	for query, want := range map[string]fetch.Answer{
		"code=204":                  {Status: 204},
		"code=302":                  {Status: 302},
		"code=500&after=nonsense":   {Status: 500},
		"code=503&after=120":        {Status: 503, RetryAfter: 2 * time.Minute},
		"code=429&after=4000000000": {Status: 429, RetryAfter: 24 * time.Hour},
		"code=429&after=-5":         {Status: 429},
		"code=503&after=Mon,%2002%20Jan%202006%2015:04:05%20GMT": {Status: 503},
		"code=503&after=Mon,%2002%20Jan%203006%2015:04:05%20GMT": {Status: 503, RetryAfter: 24 * time.Hour},
	} {
		answer, err := c.Post(t.Context(), server.URL+"/?"+query, http.Header{"Webhook-Id": {"7"}}, []byte("body"))
		require.NoError(t, err, query)
		require.Equal(t, want, answer, query)
		require.Equal(t, "POST /?"+query+" 7 Plait body", <-got)
	}
	require.Empty(t, got, "no redirect was followed")
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "1e9", "18446744073709551616", "Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT"} {
		f.Add(s)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		wait := fetch.RetryAfter(s, now)
		require.GreaterOrEqual(t, wait, time.Duration(0))
		require.LessOrEqual(t, wait, 24*time.Hour)
	})
}

func TestMessagesReachNoForbiddenAddress(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s := fetchtest.NewServer(t)
	config := testConfig(dns)
	config.Timeout = 5 * time.Second
	c := fetch.New(config)
	for _, way := range s.Ways(dns) {
		answer, err := c.Post(t.Context(), way, nil, nil)
		if err != nil {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), way)
		} else {
			require.NotEqual(t, http.StatusOK, answer.Status, way)
		}
	}
	require.Zero(t, s.Forbidden())
}

// A name is looked up for each attempt, and what an address was allowed to be before says nothing of the next one.
func TestAReceiverWhoseNameTurnsToAForbiddenAddress(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s := fetchtest.NewServer(t)
	c := fetch.New(testConfig(dns))
	dns.Set("turns.test", fetchtest.Allowed, "127.0.0.1", fetchtest.Allowed+" 127.0.0.1")
	for attempt, allowed := range []bool{true, false, true} {
		_, err := c.Post(t.Context(), "http://turns.test:"+s.Port+"/file/secret", nil, nil)
		if allowed {
			require.NoError(t, err, attempt)
		} else {
			require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), attempt)
		}
	}
	require.Zero(t, s.Forbidden())
}

func TestAReceiverThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s := fetchtest.NewServer(t)
	config := testConfig(dns)
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	config.Allowed = append(config.Allowed, netip.MustParsePrefix("127.0.0.1/32"))
	c := fetch.New(config)
	config.Timeout = 300 * time.Millisecond
	hasty := fetch.New(config)
	for url, test := range map[string]struct {
		client *fetch.Client
		what   string
	}{
		s.URL("/silent"):          {hasty, "did not answer in time"},
		s.URL("/dripheader"):      {hasty, "did not answer in time"},
		s.URL("/longheader"):      {c, "does not answer"},
		secure.URL:                {c, "certificate"},
		"https://" + s.Host + "/": {c, "does not answer"},
	} {
		_, err := test.client.Post(t.Context(), url, nil, nil)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), url)
		require.Contains(t, core.PublicMessage(err), test.what, url)
	}
	// The body of an answer is not waited for.
	for _, url := range []string{s.URL("/drip"), s.URL("/endless"), s.URL("/huge"), s.URL("/stall")} {
		answer, err := c.Post(t.Context(), url, nil, nil)
		require.NoError(t, err, url)
		require.Equal(t, http.StatusOK, answer.Status, url)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Post(ended, s.URL("/file/x"), nil, nil)
	require.ErrorIs(t, err, context.Canceled)
}
