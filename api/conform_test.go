package api_test

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	"github.com/stretchr/testify/require"
)

func description(tb testing.TB) *openapi3.T {
	tb.Helper()
	b, err := os.ReadFile("openapi.yaml")
	require.NoError(tb, err)
	doc, err := openapi3.NewLoader().LoadFromData(b)
	require.NoError(tb, err)
	require.NoError(tb, doc.Validate(tb.Context()))
	return doc
}

// conforming is a client that fails the test when an answer is not as openapi.yaml describes it.
func conforming(tb testing.TB) *http.Client {
	tb.Helper()
	doc := description(tb)
	doc.Servers = nil // the test's has a port of its own
	router, err := legacy.NewRouter(doc)
	require.NoError(tb, err)
	return &http.Client{
		Transport:     &conformer{t: tb, router: router, next: http.DefaultTransport.(*http.Transport).Clone()},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

type conformer struct {
	t      testing.TB
	router routers.Router
	next   *http.Transport
}

func (c *conformer) CloseIdleConnections() { c.next.CloseIdleConnections() }

func (c *conformer) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), failing{err}))
	if err == nil {
		c.check(req, resp, body)
	}
	return resp, nil
}

// failing ends a body as the connection did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

func (c *conformer) check(req *http.Request, resp *http.Response, body []byte) {
	for _, name := range []string{"X-Request-Id", "X-Content-Type-Options", "Content-Security-Policy", "Cache-Control"} {
		require.NotEmpty(c.t, resp.Header.Get(name), "%s %s: %s", req.Method, req.URL, name)
	}
	if strings.HasPrefix(req.URL.Path, "/test/") || ofPage(req.URL.Path) || req.Header.Get("Access-Control-Request-Method") != "" {
		return // a route of the test, a file that the page of the description loads, or a preflight request of a browser
	}
	described := req.Clone(req.Context())
	described.Body = nil
	head := req.Method == http.MethodHead
	if head {
		described.Method = http.MethodGet
	}
	route, params, err := c.router.FindRoute(described)
	if err != nil {
		var unknown *routers.RouteError
		require.ErrorAs(c.t, err, &unknown)
		require.Contains(c.t, []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusUnauthorized}, resp.StatusCode, "%s %s is not described", req.Method, req.URL)
		return
	}
	if !head && resp.StatusCode == http.StatusUnauthorized {
		require.NotEmpty(c.t, resp.Header.Get("WWW-Authenticate"))
	}
	in := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: described, PathParams: params, Route: route},
		Status:                 resp.StatusCode, Header: resp.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: head},
	}
	in.SetBodyBytes(body)
	require.NoError(c.t, openapi3filter.ValidateResponse(req.Context(), in), "%s %s: %d %s", req.Method, req.URL, resp.StatusCode, clip(body))
}

func clip(b []byte) string { return string(b[:min(len(b), 500)]) }

func init() {
	for _, kind := range []string{"image/png", "application/vnd.comicbook+zip", "text/plain", "text/csv", "text/event-stream", "text/html"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.FileBodyDecoder)
	}
}

// ofPage reports whether a path is that of a script or a style of a page for browsers. They are not described.
func ofPage(path string) bool {
	return strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, "/assets/")
}

// Every route is described, and every description has a route.
func TestDescriptionIsComplete(t *testing.T) {
	t.Parallel()
	doc := description(t)
	var described []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
			if method == http.MethodGet {
				described = append(described, "HEAD "+path)
			}
		}
	}
	parameter := regexp.MustCompile(`:(\w+)`)
	var routed []string
	for _, r := range newRig(t).server.Routes() {
		if !strings.HasPrefix(r.Method, "echo_") && !ofPage(r.Path) {
			routed = append(routed, r.Method+" "+parameter.ReplaceAllString(r.Path, "{$1}"))
		}
	}
	require.ElementsMatch(t, described, routed)
}
