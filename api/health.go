package api

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"go.temporal.io/sdk/client"
	"golang.org/x/sync/errgroup"

	"plait/internal/core"
)

const (
	readyTimeout = 5 * time.Second
	// readyFor is how long an answer holds: whoever may ask without a key must not make work.
	readyFor = time.Second
)

// readiness remembers the last check; whoever asks during a check waits for its result.
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
	// The check is for all who wait, so it does not end with the request that began it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyTimeout)
	defer cancel()
	r.err = r.check(ctx)
	r.till = time.Now().Add(readyFor)
	return r.err
}

// ready asks everything that a request may need. Liveness, /healthz, asks nothing: a database that is away is no reason
// to restart the API.
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
