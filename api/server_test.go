package api_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"plait/api"
	"plait/internal/core"
)

func TestRoutesAndHeaders(t *testing.T) {
	t.Parallel()
	r := newRigWith(t, testConfig(), func(s *api.Server) {
		s.Route(http.MethodGet, "/test/panic", func(echo.Context) error { panic("oh") })
		s.Route(http.MethodGet, "/test/panic-late", func(c echo.Context) error {
			fmt.Fprint(c.Response(), "so far")
			c.Response().Flush()
			panic("oh")
		})
	})
	c := r.caller("acme")
	for _, path := range []string{"/healthz", "/readyz"} {
		c.get(path).is(http.StatusNoContent)
		c.do(http.MethodHead, path, nil).is(http.StatusNoContent)
	}
	require.Contains(t, string(c.get("/openapi.yaml").is(http.StatusOK).body), "openapi: 3.1")
	c.get("/nothing").refused(http.StatusNotFound, core.CodeNotFound, "no such resource")
	c.get("/v1/nothing").refused(http.StatusNotFound, core.CodeNotFound, "no such resource")
	allow := c.do(http.MethodPut, tasksRoute+"/x", nil).refused(http.StatusMethodNotAllowed, core.CodeInvalidInput, "method").header.Get("Allow")
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete} {
		require.Contains(t, allow, method)
	}
	require.NotContains(t, allow, http.MethodPost)
	c.do("BREW", translations, nil).is(http.StatusMethodNotAllowed)

	require.Equal(t, "my_id-7", c.get("/healthz", "X-Request-Id: my_id-7").header.Get("X-Request-Id"))
	for _, bad := range []string{"a b", "ü", strings.Repeat("x", 65), `a"b`} {
		require.NotEqual(t, bad, c.get("/healthz", "X-Request-Id: "+bad).header.Get("X-Request-Id"))
	}

	c.get("/test/panic").refused(http.StatusInternalServerError, core.CodeInternal, "internal error")
	_, err := c.try(http.MethodGet, "/test/panic-late", nil)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF, "an answer that is not whole must not look so")
	metrics := string(c.get("/metrics").is(http.StatusOK).body)
	for _, line := range []string{
		`plait_http_panics_total 2`, `plait_build_info{version="test"} 1`,
		`plait_http_request_seconds_count{method="GET",route="/test/panic-late",status="599"} 1`,
		`method="other"`,
	} {
		require.Contains(t, metrics, line)
	}
	require.NotContains(t, metrics, "BREW")
	problems, err := testutil.GatherAndLint(r.registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}

// hold is a route that says when a request has come in, and answers when it is let go or its client is gone.
type hold struct {
	entered chan struct{}
	release chan struct{}
}

func newHold() *hold {
	return &hold{entered: make(chan struct{}), release: make(chan struct{})}
}

func (h *hold) route(s *api.Server) {
	s.RouteTransfer(http.MethodPost, "/test/hold", func(c echo.Context) error {
		h.entered <- struct{}{}
		select {
		case <-h.release:
			return c.NoContent(http.StatusNoContent)
		case <-c.Request().Context().Done():
			return c.Request().Context().Err()
		}
	})
}

// begin posts to the route, and returns when it is in.
func (h *hold) begin(c caller) chan error {
	done := make(chan error, 1)
	go func() {
		a, err := c.try(http.MethodPost, "/test/hold", strings.NewReader("x"))
		if err == nil && a.status != http.StatusNoContent {
			err = errors.New(string(a.body))
		}
		done <- err
	}()
	<-h.entered
	return done
}

func TestServerDrains(t *testing.T) {
	t.Parallel()
	h := newHold()
	r := newRigWith(t, testConfig(), h.route)
	c := r.caller("acme")
	done := h.begin(c)
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	require.Eventually(t, func() bool { return c.get("/readyz").status == http.StatusServiceUnavailable }, patience, 5*time.Millisecond)
	for range 3 {
		a := c.get(tasksRoute).refused(http.StatusServiceUnavailable, core.CodeUnavailable, "stopping")
		require.NotEmpty(t, a.header.Get("Retry-After"))
	}
	c.post(toEnglish(image("1.png", page(t)))).is(http.StatusServiceUnavailable)
	c.get("/healthz").is(http.StatusNoContent)
	close(h.release)
	require.NoError(t, <-done, "what was under way ends well")
	require.NoError(t, <-stopped)
	_, err := c.try(http.MethodGet, "/healthz", nil)
	require.Error(t, err)
	r.nothingLeft()
}

func TestServerCutsWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	h, config := newHold(), testConfig()
	config.ShutdownTimeout = 50 * time.Millisecond
	r := newRigWith(t, config, h.route)
	done := h.begin(r.caller("acme"))
	require.NoError(t, r.stop())
	require.Error(t, <-done)
}

// impatient is a server on which a client may stand still for a moment only.
func impatient() api.Config {
	config := testConfig()
	config.RequestTimeout = 400 * time.Millisecond
	return config
}

func TestStalledDownloadIsCut(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	c := newRigWith(t, impatient(), func(s *api.Server) {
		s.RouteTransfer(http.MethodGet, "/test/endless", func(c echo.Context) error {
			chunk := make([]byte, 1<<20)
			for {
				if _, err := c.Response().Write(chunk); err != nil {
					ended <- err
					return err
				}
			}
		})
	}).caller("acme")
	conn := c.raw("GET /test/endless HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + c.key + "\r\n\r\n") // and nothing is ever read
	select {
	case err := <-ended:
		require.Error(t, err)
	case <-time.After(patience):
		require.FailNow(t, "the server writes to a client that does not read")
	}
	require.NoError(t, conn.Close())
}

// raw sends bytes on a connection of its own.
func (c caller) raw(request string) net.Conn {
	c.t.Helper()
	var d net.Dialer
	conn, err := d.DialContext(c.t.Context(), "tcp", strings.TrimPrefix(c.address, "http://"))
	require.NoError(c.t, err)
	c.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(c.t, conn.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(conn, request)
	require.NoError(c.t, err)
	return conn
}

func rawStatus(t *testing.T, conn net.Conn) int {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestSlowAndHugeHeaders(t *testing.T) {
	t.Parallel()
	c := newRigWith(t, impatient()).caller("acme")
	_, err := io.ReadAll(c.raw("GET /healthz HTTP/1.1\r\nX-Slow: "))
	require.NoError(t, err, "the server closes the connection")
	require.Equal(t, http.StatusRequestHeaderFieldsTooLarge, rawStatus(t, c.raw("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Huge: "+strings.Repeat("x", 70<<10))))
}

// endless is a body without an end, which counts what was taken of it.
type endless struct {
	ctx   context.Context
	taken atomic.Int64
}

func (e *endless) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	e.taken.Add(int64(len(p)))
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

const fileHead = "--b\r\nContent-Disposition: form-data; name=file; filename=1.png\r\n\r\n"

// A body beyond the limit is refused without being read: by its declared length at once, and otherwise at the limit. One
// without a key is not read at all.
func TestHugeBodies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	declared := "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nAuthorization: Bearer %s\r\nContent-Length: 2147483648\r\n\r\n"
	for _, path := range []string{translations, "/v1/blobs"} {
		require.Equal(t, http.StatusRequestEntityTooLarge, rawStatus(t, c.raw(fmt.Sprintf(declared, path, c.key))), "nothing of the body was sent")
		require.Equal(t, http.StatusUnauthorized, rawStatus(t, c.raw(fmt.Sprintf(declared, path, "plait_wrong"))))
		chunked := strings.Replace(declared, "Content-Length: 2147483648", "Transfer-Encoding: chunked", 1)
		require.Equal(t, http.StatusUnauthorized, rawStatus(t, c.raw(fmt.Sprintf(chunked, path, "plait_wrong"))))
	}
	for range 5 {
		body := &endless{ctx: t.Context()}
		c.do(http.MethodPost, translations, io.MultiReader(strings.NewReader(fileHead), body), "Content-Type: multipart/form-data; boundary=b").
			refused(http.StatusRequestEntityTooLarge, core.CodeTooLarge, "more than 4194304 bytes")
		require.Less(t, body.taken.Load(), int64(32<<20))
	}
	r.nothingLeft()
}

// A client that leaves in the middle leaves nothing behind.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.caller("acme")
	conn := c.raw("POST " + translations + " HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer " + c.key +
		"\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", len(fileHead), fileHead))
	require.NoError(t, conn.Close())
	require.NoError(t, r.stop(), "no request hangs on")
	r.nothingLeft()
}
