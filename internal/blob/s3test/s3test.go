// Package s3test runs a real S3 server for tests, Versity S3 Gateway, behind a proxy that can inject faults.
//
// `make build/tools/versitygw` builds the server from its Go module. A test that needs it fails without it; it is never skipped.
package s3test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"plait/internal/assets/assetstest"
)

// Bucket is the one bucket of the server.
const Bucket = "blobs"

const (
	accessKey = "s3test"
	secretKey = "s3test-secret"
	// startTimeout bounds how long the server takes to listen.
	startTimeout = 30 * time.Second
)

// Server is a running S3 server.
type Server struct {
	// Folder contains the objects of Bucket.
	Folder string
	url    string

	mu    sync.Mutex
	fault func(http.Handler) http.Handler
}

// Start runs a server until the test ends. It sets the credentials of the environment, so the test cannot be parallel.
func Start(t *testing.T) *Server {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", accessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secretKey)
	t.Setenv("AWS_SESSION_TOKEN", "")
	// The path of a socket has at most 108 characters, which t.TempDir exceeds.
	sockets, err := os.MkdirTemp("", "s3") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	root, socket := t.TempDir(), filepath.Join(sockets, "s")
	s := &Server{Folder: filepath.Join(root, Bucket)}
	if err := os.Mkdir(s.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s.run(t, root, socket)
	proxy := httptest.NewServer(s.proxy(socket))
	t.Cleanup(proxy.Close)
	s.url = proxy.URL
	return s
}

func (s *Server) run(t *testing.T, root, socket string) {
	t.Helper()
	binary := filepath.Join(assetstest.ModuleRoot(), "build", "tools", "versitygw")
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), binary, "--quiet", "--port", socket, "posix", "--sidecar", t.TempDir(), root)
	cmd.Env = []string{"ROOT_ACCESS_KEY=" + accessKey, "ROOT_SECRET_KEY=" + secretKey}
	if err := cmd.Start(); err != nil {
		t.Fatalf("%v: run `make build/tools/versitygw`", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // killed
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // or it has ended
		<-ended
	})
	deadline := time.After(startTimeout)
	for tick := time.NewTicker(10 * time.Millisecond); ; {
		conn, err := dial(t.Context(), socket)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatal("the S3 server has ended")
		case <-deadline:
			t.Fatalf("the S3 server does not listen: %v", err)
		case <-tick.C:
		}
	}
}

func dial(ctx context.Context, socket string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(ctx, "unix", socket)
}

// proxy forwards requests to the socket under the host that they name, which their signature covers.
func (s *Server) proxy(socket string) http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "socket", r.In.Host
		},
		Transport: &http.Transport{
			DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, socket) },
			DisableCompression: true, DisableKeepAlives: true,
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		fault := s.fault
		s.mu.Unlock()
		if fault == nil {
			forward.ServeHTTP(w, r)
			return
		}
		fault(forward).ServeHTTP(w, r)
	})
}

// Location returns the location of a blob store in the bucket.
func (s *Server) Location(prefix string) string {
	return "s3://" + Bucket + "/" + prefix + "?region=us-east-1&endpoint=" + s.url
}

// Inject wraps the server from now on; nil ends the fault.
func (s *Server) Inject(fault func(server http.Handler) http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}
