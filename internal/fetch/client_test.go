package fetch_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plait/internal/core"
	"plait/internal/fetch"
	"plait/internal/fetch/fetchtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds what a test waits for.
const patience = time.Minute

// most is the largest file of these tests.
const most = 1 << 20

func testConfig(dns *fetchtest.DNS) fetch.Config {
	return fetch.Config{
		Timeout: patience, MaxRedirects: 5, MinRate: 1000, RateWindow: patience, Allowed: []netip.Prefix{fetchtest.AllowedNetwork()},
		Resolver: dns.Resolver(),
	}
}

// get downloads a file whole.
func get(ctx context.Context, c *fetch.Client, url string) ([]byte, error) {
	r, err := c.Open(ctx, url, most)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(r)
	return b, errors.Join(err, r.Close())
}

// refused checks the error of a download.
func refused(t *testing.T, c *fetch.Client, url string, code core.Code, what string) {
	t.Helper()
	_, err := get(t.Context(), c, url)
	require.Equal(t, code, core.CodeOf(err), "%s: %v", url, err)
	require.Contains(t, core.PublicMessage(err), what, url)
}

func TestFilesAreFetched(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s, c := fetchtest.NewServer(t), fetch.New(testConfig(dns))
	file := bytes.Repeat([]byte("bytes"), most/5)
	dns.Set("books.test", fetchtest.Allowed)
	dns.Set("mirrors.test", "127.0.0.1 "+fetchtest.Allowed)
	url := s.Put("1.png", file)
	for _, good := range []string{
		url, strings.Replace(url, "http", "HTTP", 1), s.URL("/to?" + url), s.URL("/to?/file/1.png"), s.URL("/type/1.png"),
		"http://books.test:" + s.Port + "/file/1.png", "http://books.test.:" + s.Port + "/file/1.png#fragment",
		"http://mirrors.test:" + s.Port + "/file/1.png", // the forbidden one of its addresses is passed over
	} {
		b, err := get(t.Context(), c, good)
		require.NoError(t, err, good)
		require.Equal(t, file, b, good)
	}
	require.Zero(t, s.Forbidden())
	b, err := get(t.Context(), c, s.Put("empty", nil))
	require.NoError(t, err)
	require.Empty(t, b)
}

// Whatever a server does, it costs no more than the limits, and the error says what it did.
func TestServersThatMisbehave(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s, c := fetchtest.NewServer(t), fetch.New(testConfig(dns))
	s.Put("1.png", []byte("file"))
	s.Put("large", make([]byte, most+1))
	for path, row := range map[string]struct {
		code core.Code
		what string
	}{
		"/file/large":   {core.CodeTooLarge, "more than the 1048576 bytes allowed"},
		"/huge":         {core.CodeTooLarge, "more than the 1048576 bytes allowed"},
		"/endless":      {core.CodeTooLarge, "more than the 1048576 bytes allowed"},
		"/short/1.png":  {core.CodeInvalidInput, "did not arrive whole"},
		"/gzip/1.png":   {core.CodeInvalidInput, "compressed"},
		"/packed":       {core.CodeInvalidInput, "compressed"},
		"/loop":         {core.CodeInvalidInput, "too many redirects"},
		"/longheader":   {core.CodeInvalidInput, "does not answer"},
		"/status/404":   {core.CodeInvalidInput, "the server answered 404 Not Found"},
		"/status/204":   {core.CodeInvalidInput, "the server answered 204 No Content"},
		"/status/300":   {core.CodeInvalidInput, "the server answered 300 Multiple Choices"},
		"/status/500":   {core.CodeInvalidInput, "the server answered 500"},
		"/to?http://%":  {core.CodeInvalidInput, "does not answer"},
		"/to?ftp://x/":  {core.CodeInvalidInput, "a redirect is refused: only http and https"},
		"/to?//a:b@c/x": {core.CodeInvalidInput, "a redirect is refused: a URL with a user name"},
		"/to?//x:25/":   {core.CodeInvalidInput, "a redirect is refused: this port"},
		"/far":          {core.CodeInvalidInput, "too long"},
	} {
		refused(t, c, s.URL(path), row.code, row.what)
	}
	require.Zero(t, s.Forbidden())
}

func TestRedirectsAreCounted(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	config := testConfig(dns)
	s := fetchtest.NewServer(t)
	url := s.Put("1.png", []byte("file"))
	for range 2 {
		url = s.URL("/to?" + url)
	}
	config.MaxRedirects = 2
	_, err := get(t.Context(), fetch.New(config), url)
	require.NoError(t, err)
	config.MaxRedirects = 1
	refused(t, fetch.New(config), url, core.CodeInvalidInput, "too many redirects")
	config.MaxRedirects = 0
	refused(t, fetch.New(config), url, core.CodeInvalidInput, "too many redirects")
}

// A server that is silent, or that sends its header a byte at a time, is left when the time has passed.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	config := testConfig(fetchtest.NewDNS(t))
	config.Timeout, config.MinRate = 300*time.Millisecond, 0
	s, c := fetchtest.NewServer(t), fetch.New(config)
	for _, path := range []string{"/silent", "/dripheader", "/drip"} {
		refused(t, c, s.URL(path), core.CodeInvalidInput, "did not arrive in time")
	}
	for err, ctx := range contexts(t) {
		_, got := get(ctx, fetch.New(testConfig(fetchtest.NewDNS(t))), s.URL("/silent"))
		require.ErrorIs(t, got, err, "the end of the caller's context is no fault of the server")
	}
}

func contexts(t *testing.T) map[error]context.Context {
	t.Helper()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	expired, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	t.Cleanup(stop)
	return map[error]context.Context{context.Canceled: canceled, context.DeadlineExceeded: expired}
}

// A server may be slow as long as it sends enough in each window.
func TestSlowServersAreLeft(t *testing.T) {
	t.Parallel()
	s, config := fetchtest.NewServer(t), testConfig(fetchtest.NewDNS(t))
	config.MinRate, config.RateWindow = 10_000, 300*time.Millisecond // the drip gives about 100 bytes a second
	refused(t, fetch.New(config), s.URL("/drip"), core.CodeInvalidInput, "too slowly")
	refused(t, fetch.New(config), s.URL("/stall"), core.CodeInvalidInput, "too slowly")
	config.MinRate, config.RateWindow, config.Timeout = 1, 2*time.Second, 2500*time.Millisecond
	refused(t, fetch.New(config), s.URL("/drip"), core.CodeInvalidInput, "did not arrive in time")
}

// No way leads to a forbidden address. A client without the check reaches one by most of them, so that the test would see it.
func TestNoWayLeadsInside(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s, c := fetchtest.NewServer(t), fetch.New(testConfig(dns))
	s.Put("secret", []byte("inner file"))
	ways := s.Ways(dns)
	for _, way := range ways {
		b, err := get(t.Context(), c, way)
		require.Equal(t, core.CodeInvalidInput, core.CodeOf(err), "%s gave %q", way, b)
		message := core.PublicMessage(err)
		if shown, _, _ := strings.Cut(way, "?"); !strings.Contains(shown, "127.0.0.1") {
			require.NotContains(t, message, "127.0.0.1", "the message names no address that the client did not name")
		}
	}
	require.Zero(t, s.Forbidden())
	t.Logf("%d ways", len(ways))

	for _, way := range ways {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, way, nil)
		if err != nil {
			continue
		}
		if resp, err := naive(dns).Do(req); err == nil {
			require.NoError(t, resp.Body.Close())
		}
	}
	require.Greater(t, s.Forbidden(), 20)
}

// naive checks nothing, but does not leave the machine.
func naive(dns *fetchtest.DNS) *http.Client {
	dialer := &net.Dialer{Resolver: dns.Resolver(), Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if ip := to.Addr(); err == nil && !ip.IsLoopback() && !ip.IsUnspecified() {
			err = net.ErrClosed
		}
		return err
	}}
	return &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}, Timeout: patience}
}

// A name that does not exist and one with an inner address read the same.
func TestErrorsDoNotMapTheInside(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	s, c := fetchtest.NewServer(t), fetch.New(testConfig(dns))
	dns.Set("inner.test", "10.0.0.1")
	dns.Set("meta.test", "169.254.169.254")
	messages := map[string]bool{}
	for _, host := range []string{"inner.test", "meta.test", "missing.test"} {
		for _, prefix := range []string{"", s.URL("/to?")} {
			_, err := get(t.Context(), c, prefix+"http://"+host+":"+s.Port+"/?token=secret")
			message := core.PublicMessage(err)
			require.NotContains(t, err.Error(), "secret", "nor does the log")
			message = strings.NewReplacer("http://"+host+":"+s.Port+"/", "URL", s.URL("/to"), "URL").Replace(message)
			messages[message] = true
		}
	}
	require.Equal(t, map[string]bool{"URL: the host, or one that it redirects to, has no public address": true}, messages)
}

// Requests carry nothing that belongs to another server, and do not go through a proxy.
func TestRequestsCarryNothing(t *testing.T) {
	dns := fetchtest.NewDNS(t)
	s := fetchtest.NewServer(t)
	proxy := fetchtest.NewServer(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://"+proxy.Host)
	}
	dns.Set("books.test", fetchtest.Allowed)
	url := s.Put("1.png", []byte("file"))
	_, err := get(t.Context(), fetch.New(testConfig(dns)), "http://books.test:"+s.Port+"/to?"+url)
	require.NoError(t, err)
	require.Zero(t, proxy.Requests())
	require.Len(t, s.Headers(), 2)
	for _, header := range s.Headers() {
		require.Equal(t, http.Header{"User-Agent": {"Plait"}, "Accept-Encoding": {"identity"}, "Connection": {"close"}}, header)
	}
}

// HTTPS checks the certificate, and speaks HTTP/1.1 even with a server that prefers HTTP/2.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	dns := fetchtest.NewDNS(t)
	dns.Set("example.com", fetchtest.Allowed) // a name of the certificate
	protocols := make(chan string, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		protocols <- r.Proto
		_, _ = io.WriteString(w, "file")
	}))
	var lc net.ListenConfig
	var err error
	require.NoError(t, server.Listener.Close())
	server.Listener, err = lc.Listen(t.Context(), "tcp", fetchtest.Allowed+":0")
	require.NoError(t, err)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	require.NoError(t, err)
	url := "https://example.com:" + port + "/1.png"

	config := testConfig(dns)
	config.RootCAs = x509.NewCertPool()
	refused(t, fetch.New(config), url, core.CodeInvalidInput, "certificate")
	config.RootCAs.AddCert(server.Certificate())
	b, err := get(t.Context(), fetch.New(config), url)
	require.NoError(t, err)
	require.Equal(t, "file", string(b))
	require.Equal(t, "HTTP/1.1", <-protocols)
}
