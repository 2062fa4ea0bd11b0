package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plait/internal/core"
)

// rawFrom opens a connection from an address of this machine, and sends nothing.
func (r *rig) rawFrom(client string) net.Conn {
	r.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(client)}}
	conn, err := d.DialContext(r.t.Context(), "tcp", strings.TrimPrefix(r.address, "http://"))
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	require.NoError(r.t, conn.SetDeadline(time.Now().Add(patience)))
	return conn
}

// ask sends a request on the connection, which stays open, and returns the status, or 0 where the server has closed it.
func ask(conn net.Conn, headers ...string) int {
	lines := append([]string{"GET /healthz HTTP/1.1", "Host: x"}, headers...)
	if _, err := conn.Write([]byte(strings.Join(lines, "\r\n") + "\r\n\r\n")); err != nil {
		return 0
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// Idle connections of one address, without a key, keep no other address out.
func TestOneAddressHasItsShareOfTheConnections(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxConnections, config.MaxConnectionsPerAddress = 40, 4
	r := newRigWith(t, config)
	var idle []net.Conn
	for range 4 {
		idle = append(idle, r.rawFrom("127.0.0.2"))
	}
	for range 60 {
		require.Zero(t, ask(r.rawFrom("127.0.0.2")), "beyond the share")
	}
	require.Equal(t, http.StatusNoContent, ask(r.rawFrom("127.0.0.3")))
	require.NoError(t, idle[0].Close())
	require.Eventually(t, func() bool { return ask(r.rawFrom("127.0.0.2")) == http.StatusNoContent }, patience, 5*time.Millisecond)
}

// When all places are taken, connections that wait for their next request make room.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxConnections = 8
	r := newRigWith(t, config)
	for range 5 * config.MaxConnections {
		require.Equal(t, http.StatusNoContent, ask(r.rawFrom("127.0.0.1")))
	}
}

// As many connections as the server has places for, without a key and from some addresses, keep nobody else out. No time-out ends them
// within the patience of this test, but for those that send nothing. The test runs alone, because it opens 4,096 files at a time.
func TestConnectionsWithoutAKeyMakeRoom(t *testing.T) {
	config := testConfig()
	config.MaxConnections, config.MaxConnectionsPerAddress = 2048, 256
	config.RequestTimeout = time.Hour
	silent := func(net.Conn) {}
	for name, attack := range map[string]struct {
		addresses int
		send      func(net.Conn)
	}{
		"one address":                    {1, silent},
		"eight addresses":                {8, silent},
		"an address for each connection": {config.MaxConnections, silent},
		"after an answer":                {8, func(conn net.Conn) { ask(conn) }},
		"a body that does not come": {8, func(conn net.Conn) {
			_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n") // a refused one cannot send
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newRigWith(t, config).caller("acme")
			for i := range config.MaxConnections {
				n := i % attack.addresses
				attack.send(c.rawFrom(fmt.Sprintf("127.0.%d.%d", 1+n/250, 1+n%250)))
			}
			require.Equal(t, http.StatusNoContent, ask(c.rawFrom("127.0.0.2")))
			c.get(tasksRoute).is(http.StatusOK)
			c.do(http.MethodPost, "/v1/blobs", reader(page(t, "はい"))).is(http.StatusCreated)
		})
	}
}

// A connection keeps its place while a request with a key is under way.
func TestRequestsWithAKeyAreNotCut(t *testing.T) {
	t.Parallel()
	h, config := newHold(), testConfig()
	config.MaxConnections = 4
	c := newRigWith(t, config, h.route).caller("acme")
	var begun []chan error
	for range config.MaxConnections - 1 {
		begun = append(begun, h.begin(c))
	}
	for range 5 * config.MaxConnections {
		require.Equal(t, http.StatusNoContent, ask(c.rawFrom("127.0.0.2")))
	}
	close(h.release)
	for _, done := range begun {
		require.NoError(t, <-done)
	}
}

// A tenant that holds as many connections as it can, by requests that do not end, keeps no other tenant out.
func TestOneTenantHasItsShareOfTheRequests(t *testing.T) {
	t.Parallel()
	h, config := newHold(), testConfig()
	config.MaxConnections, config.MaxRequestsPerTenant = 8, 4
	r := newRigWith(t, config, h.route)
	c := r.caller("acme")
	path := c.post(toEnglish(image("1.png", page(t)))).is(http.StatusAccepted).header.Get("Location")
	link := c.link(path, `{"item":0,"file":"input"}`)
	var begun []chan error
	for range config.MaxRequestsPerTenant {
		begun = append(begun, h.begin(c))
	}
	for _, path := range []string{tasksRoute, path, "/v1/events", link} {
		a := c.get(path).refused(http.StatusTooManyRequests, core.CodeRateLimited, "requests of this tenant")
		require.Equal(t, "2", a.header.Get("Retry-After"))
	}
	r.caller("press").get(tasksRoute).is(http.StatusOK)
	close(h.release)
	for _, done := range begun {
		require.NoError(t, <-done)
	}
	require.Eventually(t, func() bool { return c.get(tasksRoute).status == http.StatusOK }, patience, 5*time.Millisecond)
}

// Health is answered while clients hold every connection of the API.
func TestHealthHasAListenerOfItsOwn(t *testing.T) {
	t.Parallel()
	h, config := newHold(), testConfig()
	config.MaxConnections = 2
	r := newRigWith(t, config, h.route)
	for range config.MaxConnections {
		h.begin(r.caller("acme"))
	}
	defer close(h.release)
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.server.ServeHealth(ctx, listener) }()
	for path, status := range map[string]int{
		"/healthz": http.StatusNoContent, "/readyz": http.StatusNoContent, "/metrics": http.StatusOK,
		"/openapi.yaml": http.StatusNotFound, translations: http.StatusNotFound,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+path, nil)
		require.NoError(t, err)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, status, resp.StatusCode, path)
	}
	stop()
	require.NoError(t, <-ended)
}
