package api_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"plait/api"
	"plait/api/schema"
	"plait/internal/core"
)

// A trusted proxy is no client address, and what it forwards is believed; what anybody else sends is not.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxConnectionsPerAddress = 4
	config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}
	var log bytes.Buffer
	r := newRigWith(t, config, func(s *api.Server) {
		s.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	for range 12 {
		require.Equal(t, http.StatusNoContent, ask(r.rawFrom("127.0.0.2"), "X-Forwarded-For: 192.0.2.7", "X-Forwarded-Proto: https"))
	}
	require.Equal(t, http.StatusNoContent, ask(r.rawFrom("127.0.0.3"), "X-Forwarded-For: 192.0.2.9"))
	require.NoError(t, r.stop())
	require.Contains(t, log.String(), "client=192.0.2.7")
	require.Contains(t, log.String(), "client=127.0.0.3")
	require.NotContains(t, log.String(), "192.0.2.9")
}

// Pages of the allowed origins can use the API, and no others.
func TestCrossOriginRequests(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.CORSOrigins = []string{"https://studio.example"}
	c := newRigWith(t, config).caller("studio")
	const path = "/v1/tasks"
	for origin, want := range map[string]string{"https://studio.example": "https://studio.example", "https://evil.example": "", "null": ""} {
		allowed := c.get(path, "Origin: "+origin).is(http.StatusOK)
		require.Equal(t, want, allowed.header.Get("Access-Control-Allow-Origin"), origin)
		require.Empty(t, allowed.header.Get("Access-Control-Allow-Credentials"))
		nobody := caller{c.rig, c.tenant, ""}
		preflight := nobody.do(http.MethodOptions, path, nil, "Origin: "+origin, "Access-Control-Request-Method: DELETE").is(http.StatusNoContent)
		require.Equal(t, want, preflight.header.Get("Access-Control-Allow-Origin"), origin)
	}
	closed := newRig(t).caller("studio")
	require.Empty(t, closed.get(path, "Origin: https://studio.example").is(http.StatusOK).header.Get("Access-Control-Allow-Origin"))
}

// Errors have the form of RFC 9457 for clients that ask for it.
func TestProblems(t *testing.T) {
	t.Parallel()
	c := newRig(t).caller("problems")
	for accept, want := range map[string]string{
		"application/problem+json": "application/problem+json", "text/html, application/problem+json;q=0.5": "application/problem+json",
		"application/problem+json;q=0.0": "application/json", "*/*": "application/json", "application/*, text/html": "application/json", ";;,": "application/json",
	} {
		a := c.get("/v1/tasks/none", "Accept: "+accept).refused(http.StatusNotFound, core.CodeNotFound, "there is no task")
		require.Equal(t, want, a.header.Get("Content-Type"), accept)
		require.Equal(t, "Accept", a.header.Get("Vary"))
		if want == "application/json" {
			continue
		}
		var p schema.Problem
		a.into(&p)
		require.Equal(t, schema.Problem{
			Type: "about:blank", Title: "Not Found", Status: http.StatusNotFound, Detail: p.Message, Error: p.Error,
		}, p)
	}
}
