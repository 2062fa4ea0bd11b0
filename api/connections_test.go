package api_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
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
func ask(conn net.Conn) int {
	if _, err := conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
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

// When nearly all places are taken, connections that wait for their next request make room.
func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxConnections = 8
	r := newRigWith(t, config)
	for range 5 * config.MaxConnections {
		require.Equal(t, http.StatusNoContent, ask(r.rawFrom("127.0.0.1")))
	}
}

// Health is answered while clients hold every connection of the API.
func TestHealthHasAListenerOfItsOwn(t *testing.T) {
	t.Parallel()
	config := testConfig()
	config.MaxConnections = 2
	r := newRigWith(t, config)
	for range 2 * config.MaxConnections {
		r.rawFrom("127.0.0.1")
	}
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
