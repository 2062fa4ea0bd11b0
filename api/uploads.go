package api

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/semaphore"

	"plait/internal/core"
)

// waitingUploads bounds how many uploads of a tenant wait, in uploads that it may have under way. Each holds a connection and no memory.
const waitingUploads = 64

// uploadTurns bounds the uploads under way of each tenant, so that one tenant cannot block another.
type uploadTurns struct {
	most int
	// patience is how long an upload waits for a slot.
	patience time.Duration

	mu sync.Mutex
	of map[string]*uploadSlots
}

// uploadSlots are the slots of one tenant. They are given in order of arrival.
type uploadSlots struct {
	slots *semaphore.Weighted
	// uploads are those that hold a slot or wait for one.
	uploads int
}

func newUploadTurns(most int, patience time.Duration) *uploadTurns {
	return &uploadTurns{most: most, patience: patience, of: map[string]*uploadSlots{}}
}

// take waits for a slot of a tenant. It fails with RATE_LIMITED when too many wait, or when the wait takes too long.
func (t *uploadTurns) take(ctx context.Context, tenant string) (leave func(), err error) {
	of := t.enter(tenant)
	if of == nil {
		return nil, core.NewError(core.CodeRateLimited, "too many uploads at once; try again in a moment")
	}
	waiting, cancel := context.WithTimeout(ctx, t.patience)
	defer cancel()
	if of.slots.Acquire(waiting, 1) != nil {
		t.leave(tenant)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, core.NewError(core.CodeRateLimited, "too many uploads at once, and none has ended in time; try again in a moment")
	}
	return func() {
		of.slots.Release(1)
		t.leave(tenant)
	}, nil
}

// enter returns nil when too many uploads of the tenant wait.
func (t *uploadTurns) enter(tenant string) *uploadSlots {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.of[tenant]
	if of == nil {
		of = &uploadSlots{slots: semaphore.NewWeighted(int64(t.most))}
		t.of[tenant] = of
	}
	if of.uploads >= t.most*(1+waitingUploads) {
		return nil
	}
	of.uploads++
	return of
}

func (t *uploadTurns) leave(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[tenant].uploads--; t.of[tenant].uploads == 0 {
		delete(t.of, tenant)
	}
}

// limitUploads bounds the body before anything reads it. While the tenant has as many uploads under way as it may, the upload waits, and
// its body stays with the client.
func (s *Server) limitUploads(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		if coding := req.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
			return withStatus(http.StatusUnsupportedMediaType,
				core.Errorf(core.CodeInvalidInput, "content encoding %q is not known: send the body as it is", clip(coding)))
		}
		most := s.maxBody(c)
		if req.ContentLength > most {
			return core.Errorf(core.CodeTooLarge, "the request has %d bytes; the most is %d", req.ContentLength, most)
		}
		leave, err := s.uploads.take(req.Context(), tenantOf(c))
		if err != nil {
			return err
		}
		defer leave()
		// MaxBytesReader can only close the connection through the server's own writer.
		req.Body = http.MaxBytesReader(c.Response().Writer, req.Body, most)
		return next(c)
	}
}
