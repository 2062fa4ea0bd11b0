package temporalui_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/encoding/protojson"

	"plait/api/temporalui"
	"plait/workflows/payload"
)

const (
	goodKey  = "plait_operator"
	pageText = "こんにちは"
)

type rig struct {
	t       *testing.T
	server  *temporalui.Server
	url     string
	revoked atomic.Bool
	keys    *payload.Keys
	// cookies are those that the UI was sent last.
	cookies atomic.Value
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t}
	socket := filepath.Join(t.TempDir(), "ui.sock")
	listener, err := net.Listen("unix", socket)
	require.NoError(t, err)
	ui := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.cookies.Store(request.Header.Get("Cookie"))
		_, _ = io.WriteString(w, "workflows at "+request.URL.Path)
	}))
	ui.Listener = listener
	ui.Start()
	t.Cleanup(ui.Close)
	r.keys, err = payload.ParseKeys(payload.NewKey())
	require.NoError(t, err)
	r.server, err = temporalui.New(temporalui.Config{
		Upstream: "unix://" + socket,
		Codec:    converter.NewPayloadCodecHTTPHandler(r.keys.Codec()),
		Authenticate: func(_ context.Context, key string) error {
			if key != goodKey || r.revoked.Load() {
				return temporalui.ErrDenied
			}
			return nil
		},
		Hosts: []string{"ui.example"},
		Log:   slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	front := httptest.NewServer(r.server)
	t.Cleanup(front.Close)
	r.url = front.URL
	return r
}

// browser keeps cookies and follows no redirect.
func (r *rig) browser() *http.Client {
	r.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(r.t, err)
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func (r *rig) do(c *http.Client, method, path, body string, headers ...string) (status int, header http.Header, text string) {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	require.NoError(r.t, err)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			request.Host = headers[i+1]
			continue
		}
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := c.Do(request)
	require.NoError(r.t, err)
	defer func() { _ = answer.Body.Close() }()
	b, err := io.ReadAll(answer.Body)
	require.NoError(r.t, err)
	return answer.StatusCode, answer.Header, string(b)
}

const form = "application/x-www-form-urlencoded"

func (r *rig) signedIn() *http.Client {
	r.t.Helper()
	c := r.browser()
	status, _, _ := r.do(c, http.MethodPost, "/sign-in", url.Values{"key": {goodKey}}.Encode(), "Content-Type", form)
	require.Equal(r.t, http.StatusSeeOther, status)
	return c
}

func TestNothingIsShownWithoutASignIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	stranger := r.browser()
	status, header, _ := r.do(stranger, http.MethodGet, "/namespaces", "", "Accept", "text/html")
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "/sign-in", header.Get("Location"))
	for _, path := range []string{"/api/v1/namespaces", "/codec/decode", "/"} {
		status, _, text := r.do(stranger, http.MethodPost, path, "{}")
		require.Equal(t, http.StatusUnauthorized, status, path)
		require.NotContains(t, text, "workflows")
	}
	for _, key := range []string{"", "plait_other", strings.Repeat("x", 8000)} {
		status, header, _ := r.do(stranger, http.MethodPost, "/sign-in", url.Values{"key": {key}}.Encode(), "Content-Type", form)
		require.GreaterOrEqual(t, status, 400)
		require.Empty(t, header.Get("Set-Cookie"))
	}
	status, _, _ = r.do(stranger, http.MethodGet, "/", "", "Cookie", "plait-temporal-ui=forged")
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestAKeyOpensTheUI(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.browser()
	_, _, page := r.do(c, http.MethodGet, "/sign-in", "")
	require.Contains(t, page, `action="/sign-in"`)
	status, header, _ := r.do(c, http.MethodPost, "/sign-in", url.Values{"key": {" " + goodKey + "\n"}}.Encode(), "Content-Type", form)
	require.Equal(t, http.StatusSeeOther, status)
	cookie := header.Get("Set-Cookie")
	require.Contains(t, cookie, "; HttpOnly")
	require.Contains(t, cookie, "; SameSite=Strict")
	require.Contains(t, cookie, "; Max-Age=43200")
	require.NotContains(t, cookie, goodKey)

	status, _, text := r.do(c, http.MethodGet, "/namespaces/default", "", "Cookie", "_csrf=theirs")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "workflows at /namespaces/default", text)
	require.Equal(t, "_csrf=theirs", r.cookies.Load(), "the UI gets its own cookies alone")

	status, _, _ = r.do(c, http.MethodPost, "/sign-out", "")
	require.Equal(t, http.StatusSeeOther, status)
	status, _, _ = r.do(c, http.MethodGet, "/", "")
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	link := strings.TrimPrefix(r.server.SignInURL(r.url, goodKey), r.url)
	c := r.browser()
	status, header, _ := r.do(c, http.MethodGet, link, "")
	require.Equal(t, http.StatusSeeOther, status)
	require.Equal(t, "/", header.Get("Location"))
	status, _, _ = r.do(c, http.MethodGet, "/", "")
	require.Equal(t, http.StatusOK, status)

	status, header, text := r.do(r.browser(), http.MethodGet, link, "")
	require.Equal(t, http.StatusUnauthorized, status)
	require.Empty(t, header.Get("Set-Cookie"))
	require.Contains(t, text, "was used already")
}

func TestTokensAndSessionsAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first, firstLink := r.signedIn(), r.server.SignInURL("", goodKey)
	for range 64 {
		r.signedIn()
		r.server.SignInURL("", goodKey)
	}
	status, _, _ := r.do(first, http.MethodGet, "/", "")
	require.Equal(t, http.StatusUnauthorized, status)
	status, _, _ = r.do(r.browser(), http.MethodGet, firstLink, "")
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestARevokedKeyOpensNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	link := r.server.SignInURL("", goodKey)
	r.revoked.Store(true)
	status, _, _ := r.do(r.browser(), http.MethodGet, link, "")
	require.Equal(t, http.StatusUnauthorized, status)
}

func TestOnlyKnownHostNamesAreServed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.signedIn()
	cookies := c.Jar.Cookies(must(url.Parse(r.url)))
	for host, want := range map[string]int{
		"localhost:8233": http.StatusOK, "127.0.0.1": http.StatusOK, "[::1]:8233": http.StatusOK, "UI.example": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "localhost.evil.example:8233": http.StatusMisdirectedRequest,
		"10.0.0.1:8233": http.StatusMisdirectedRequest, "127.0.0.1.evil.example": http.StatusMisdirectedRequest,
	} {
		status, _, text := r.do(http.DefaultClient, http.MethodGet, "/", "", "Host", host, "Cookie", cookies[0].Name+"="+cookies[0].Value)
		require.Equal(t, want, status, host)
		require.Equal(t, want == http.StatusOK, strings.HasPrefix(text, "workflows"), host)
	}
}

func TestPagesOfOtherOriginsWriteAndReadNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.signedIn()
	for _, headers := range [][]string{
		{"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:9999"},
	} {
		status, header, text := r.do(c, http.MethodPost, "/api/v1/terminate", "{}", headers...)
		require.Equal(t, http.StatusForbidden, status)
		require.NotContains(t, text, "workflows")
		require.Empty(t, header.Get("Access-Control-Allow-Origin"))
		_, header, _ = r.do(c, http.MethodOptions, "/codec/decode", "", headers...)
		require.Empty(t, header.Get("Access-Control-Allow-Origin"))
	}
}

func TestTheCodecDecodesForWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	plain, err := converter.GetDefaultDataConverter().ToPayload(pageText)
	require.NoError(t, err)
	sealed, err := r.keys.Codec().Encode([]*commonpb.Payload{plain})
	require.NoError(t, err)
	body, err := protojson.Marshal(&commonpb.Payloads{Payloads: sealed})
	require.NoError(t, err)

	status, _, _ := r.do(r.browser(), http.MethodPost, "/codec/decode", string(body))
	require.Equal(t, http.StatusUnauthorized, status)
	status, _, text := r.do(r.signedIn(), http.MethodPost, "/codec/decode?preserveStorageRefs=true", string(body), "Content-Type", "application/json")
	require.Equal(t, http.StatusOK, status)
	var decoded commonpb.Payloads
	require.NoError(t, protojson.Unmarshal([]byte(text), &decoded))
	require.Equal(t, `"`+pageText+`"`, string(decoded.Payloads[0].Data))
}

func TestAnUpstreamThatIsNone(t *testing.T) {
	t.Parallel()
	for _, upstream := range []string{"", "ftp://x", "http://", "unix://", "%"} {
		_, err := temporalui.New(temporalui.Config{Upstream: upstream})
		require.ErrorContains(t, err, "address of the Temporal UI", upstream)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
