package api

import (
	"sync"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// inFlight counts the requests under way, and admits no more once the server drains.
type inFlight struct {
	mu       sync.Mutex
	count    int
	draining bool
	idle     chan struct{}
}

func newInFlight() *inFlight { return &inFlight{idle: make(chan struct{})} }

func (f *inFlight) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.draining {
		return false
	}
	f.count++
	return true
}

func (f *inFlight) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count--
	if f.draining && f.count == 0 {
		close(f.idle)
	}
}

// drain refuses new requests from now on. The channel closes when the last request under way has ended.
func (f *inFlight) drain() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.draining {
		f.draining = true
		if f.count == 0 {
			close(f.idle)
		}
	}
	return f.idle
}

// admit refuses requests while the server drains: another server may accept them, or this one after its restart.
func (s *Server) admit(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if !s.requests.enter() {
			c.Response().Header().Set(echo.HeaderConnection, "close")
			return core.NewError(core.CodeUnavailable, "the server is stopping")
		}
		defer s.requests.leave()
		return next(c)
	}
}
