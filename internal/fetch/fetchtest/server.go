// Package fetchtest has a web server and a name server that try to make a client connect to forbidden addresses, for tests.
package fetchtest

import (
	"compress/gzip"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Allowed is the only address of [Server] that a client of a test may connect to. The others of the machine stand for its inner network.
const Allowed = "127.0.0.2"

// AllowedNetwork is the network of Allowed.
func AllowedNetwork() netip.Prefix { return netip.MustParsePrefix(Allowed + "/32") }

// Server listens on one port of all addresses of the machine, and counts the connections to forbidden ones. It misbehaves as the path says:
//
//	/file/NAME           the file of that name
//	/to?URL              a redirect to a URL
//	/loop                a redirect to itself
//	/far                 a redirect to a URL that is too long
//	/type/NAME           the file, as text/html
//	/gzip/NAME           the file, compressed although that was not accepted
//	/packed              an endless compressed body
//	/drip                a body of one byte now and then, without end
//	/stall               a body that stops after its beginning
//	/dripheader          a header of one byte now and then, without end
//	/endless             a body without end
//	/longheader          a header without end
//	/short/NAME          the file, with a Content-Length that is larger
//	/huge                no body, with a Content-Length of an exabyte
//	/status/CODE         that status
//	/silent              nothing
type Server struct {
	// Host is the allowed address with the port.
	Host string
	// Port is the port on all addresses.
	Port string

	forbidden atomic.Int64
	requests  atomic.Int64
	// answering are the handlers that have not returned.
	answering sync.WaitGroup
	mu        sync.Mutex
	files     map[string][]byte
	headers   []http.Header
}

// NewServer starts a server, which ends with the test.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	var lc net.ListenConfig
	listener, err := lc.Listen(context.WithoutCancel(tb.Context()), "tcp", ":0")
	require.NoError(tb, err)
	s := &Server{files: map[string][]byte{}}
	_, s.Port, err = net.SplitHostPort(listener.Addr().String())
	require.NoError(tb, err)
	s.Host = net.JoinHostPort(Allowed, s.Port)
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	server := &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(&counting{listener, s}) }()
	tb.Cleanup(func() {
		cancel()
		require.NoError(tb, server.Close())
		require.ErrorIs(tb, <-done, http.ErrServerClosed)
		s.answering.Wait()
	})
	return s
}

// counting counts connections to forbidden addresses.
type counting struct {
	net.Listener
	server *Server
}

func (c *counting) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err == nil && !strings.HasPrefix(conn.LocalAddr().String(), Allowed+":") {
		c.server.forbidden.Add(1)
	}
	return conn, err
}

// Forbidden is the number of connections to other addresses than Allowed.
func (s *Server) Forbidden() int { return int(s.forbidden.Load()) }

// Requests is the number of requests.
func (s *Server) Requests() int { return int(s.requests.Load()) }

// Headers are those of all requests, in their order.
func (s *Server) Headers() []http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]http.Header(nil), s.headers...)
}

// URL is the URL of a path at the allowed address.
func (s *Server) URL(path string) string { return "http://" + s.Host + path }

// Put has the server serve a file, and returns its URL.
func (s *Server) Put(name string, file []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = file
	return s.URL("/file/" + name)
}

func (s *Server) file(r *http.Request) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files[r.PathValue("name")]
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) { redirect(w, r.URL.RawQuery) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, _ *http.Request) { redirect(w, "/loop") })
	mux.HandleFunc("/far", func(w http.ResponseWriter, _ *http.Request) { redirect(w, "/"+strings.Repeat("x", 16<<10)) })
	mux.HandleFunc("/file/{name}", func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(s.file(r)) })
	mux.HandleFunc("/type/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(s.file(r))
	})
	mux.HandleFunc("/gzip/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(s.file(r))
		_ = z.Close()
	})
	mux.HandleFunc("/packed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for zeros := make([]byte, 1<<20); r.Context().Err() == nil; {
			_, _ = z.Write(zeros)
		}
	})
	mux.HandleFunc("/short/{name}", func(w http.ResponseWriter, r *http.Request) {
		file := s.file(r)
		w.Header().Set("Content-Length", fmt.Sprint(len(file)+1000))
		_, _ = w.Write(file)
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for part := make([]byte, 64<<10); r.Context().Err() == nil; {
			if _, err := w.Write(part); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code := 0
		_, _ = fmt.Sscan(r.PathValue("code"), &code)
		w.WriteHeader(code)
	})
	mux.HandleFunc("/stall", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("beginning"))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.handleRaw(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.answering.Add(1)
		defer s.answering.Done()
		s.requests.Add(1)
		s.mu.Lock()
		s.headers = append(s.headers, r.Header.Clone())
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
}

// handleRaw adds what net/http would not send.
func (s *Server) handleRaw(mux *http.ServeMux) {
	mux.HandleFunc("/huge", raw("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000000\r\n\r\n", ""))
	mux.HandleFunc("/drip", raw("HTTP/1.1 200 OK\r\n\r\n", "x"))
	mux.HandleFunc("/dripheader", raw("HTTP/1.1 200 OK\r\nX: ", "x"))
	mux.HandleFunc("/longheader", raw("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n", ""))
}

// dripEvery is the time between two bytes of a drip.
const dripEvery = 10 * time.Millisecond

// raw writes a beginning of an answer, and then a piece of it again and again until the connection or the test ends.
func raw(begin, piece string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		stop := context.AfterFunc(r.Context(), func() { _ = conn.Close() })
		defer stop()
		if _, err := conn.Write([]byte(begin)); err != nil {
			return
		}
		tick := time.NewTicker(dripEvery)
		defer tick.Stop()
		for err == nil && piece != "" {
			_, err = conn.Write([]byte(piece))
			<-tick.C
		}
	}
}

func redirect(w http.ResponseWriter, to string) {
	w.Header()["Location"] = []string{to} // as it is: http.Redirect would clean it
	w.WriteHeader(http.StatusFound)
}
