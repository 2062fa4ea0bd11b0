package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"go.temporal.io/sdk/client"
	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
)

const (
	readyTimeout = 5 * time.Second
	// readyFor is how long a result is reused, because requests without a key must not cause work.
	readyFor = time.Second
)

// readiness caches the last check; requests that arrive during a check wait for its result.
type readiness struct {
	check func(context.Context) error

	mu   sync.Mutex
	till time.Time
	err  error
}

func (r *readiness) state(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Now().Before(r.till) {
		return r.err
	}
	// Other requests wait for the check, so it does not end with the request that started it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	r.err = r.check(ctx)
	r.till = time.Now().Add(readyFor)
	return r.err
}

// ready checks all dependencies of requests. /healthz (liveness) checks none: an unavailable database is no reason to restart the API.
func (s *Server) ready(c echo.Context) error {
	if !s.requests.enter() {
		return core.NewError(core.CodeUnavailable, "the server is stopping")
	}
	defer s.requests.leave()
	if err := s.readiness.state(c.Request().Context()); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// maxHealthConnections bounds the open connections to the health endpoints: an orchestrator and some scrapers. They do not count as
// connections of clients.
const maxHealthConnections = 64

// ServeHealth answers /healthz, /readyz and /metrics on a separate listener, so that clients of the API cannot exhaust its connections,
// until ctx ends.
func (s *Server) ServeHealth(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/healthz", "/readyz", "/metrics":
				s.echo.ServeHTTP(w, r)
			default:
				http.NotFound(w, r)
			}
		}),
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readHeaderTimeout, WriteTimeout: readHeaderTimeout + readyTimeout,
		IdleTimeout: readHeaderTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(netutil.LimitListener(listener, maxHealthConnections)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *Server) checkParts(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return unavailable(s.Records.Ping(ctx), "the database does not answer") })
	group.Go(func() error { return unavailable(s.Blobs.Check(ctx), "blobs cannot be stored") })
	group.Go(func() error {
		_, err := s.Temporal.CheckHealth(ctx, &client.CheckHealthRequest{})
		return unavailable(err, "Temporal does not answer")
	})
	return group.Wait()
}
