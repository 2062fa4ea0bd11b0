package api

import (
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"plait/internal/core"
)

// tenantSlots counts the uploads under way of each tenant and bounds them per tenant, so that one tenant cannot block another.
type tenantSlots struct {
	most int

	mu   sync.Mutex
	held map[string]int
}

func newTenantSlots(most int) *tenantSlots { return &tenantSlots{most: most, held: map[string]int{}} }

func (t *tenantSlots) take(tenant string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held[tenant] >= t.most {
		return false
	}
	t.held[tenant]++
	return true
}

func (t *tenantSlots) leave(tenant string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held[tenant]--; t.held[tenant] == 0 {
		delete(t.held, tenant)
	}
}

// limitUploads bounds the body before anything reads it, and refuses an upload when its tenant has reached the bound.
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
		tenant := tenantOf(c)
		if !s.uploads.take(tenant) {
			return core.NewError(core.CodeRateLimited, "too many uploads at once; try again in a moment")
		}
		defer s.uploads.leave(tenant)
		// MaxBytesReader can only close the connection through the server's own writer.
		req.Body = http.MaxBytesReader(c.Response().Writer, req.Body, most)
		return next(c)
	}
}
